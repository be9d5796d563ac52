import { allGreen, allRed, consumerSuite } from "./consumer-suite.ts";
import type { Suite } from "./suite.ts";
import { typesSuite } from "./types-suite.ts";

const ISOLATION = 'import { isolationCases } from "./cases.ts";\n\nisolationCases();\n';
const files = Object.fromEntries([..."ab"].map((letter) => [`${letter}.test.ts`, ISOLATION]));

/** Everything that must hold on every supported runner. */
export const SUITES: readonly Suite[] = [
  consumerSuite({ title: "isolation", project: "isolation", files, judge: allGreen }),
  consumerSuite({
    title: "isolation in one worker; in Jest, as ES modules",
    project: "isolation",
    files,
    args: { vitest: ["--no-isolate", "--maxWorkers=1"], jest: ["--runInBand"] },
    env: { jest: { NODE_OPTIONS: "--experimental-vm-modules" } },
    judge: allGreen,
  }),
  consumerSuite({ title: "handle", project: "handle", judge: allGreen }),
  consumerSuite({ title: "red", project: "red", judge: allRed }),
  consumerSuite({ title: "matchers", project: "matchers", judge: allGreen }),
  typesSuite,
];
