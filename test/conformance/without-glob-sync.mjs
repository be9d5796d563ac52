import { register } from "node:module";

/** Lets the suite start on Node 20: one of its commands imports `globSync`, which `fs` has from Node 22 on. */
register(
  `data:text/javascript,${encodeURIComponent(`
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      if (!url.includes("@modelcontextprotocol/conformance/dist/")) return loaded;
      return { ...loaded, source: String(loaded.source).replace(/\\bglobSync as \\w+,/, "") };
    }
  `)}`,
);
