import { enterWorker } from "../shared/enter-worker.ts";
import { factsFor, settingsIn } from "./settings.ts";

// Runs in each test file's context, before all other set-up files.
enterWorker(factsFor(settingsIn(globalThis)));
