import { presetConfig } from "./config.ts";

export default presetConfig();
