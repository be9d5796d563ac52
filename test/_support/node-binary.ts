import { fetchTool } from "./on-demand.ts";

/** The Node lines that something is shown on which does not run on this one, each with an exact release. */
const RELEASES = { 20: "20.19.0", 22: "22.23.5", 24: "24.22.3" } as const;

/** How the registry's packages name a platform that Node names otherwise. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: "win" };

/** Path of the `node` of another line, from the registry's package for this machine; throws when it cannot be fetched. */
export async function fetchNode(major: keyof typeof RELEASES): Promise<string> {
  const name = `node-${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  return await fetchTool({ spec: `${name}@${RELEASES[major]}`, home: `node-${major}`, program: `${name}/bin/node` });
}
