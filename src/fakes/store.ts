import type { Identity } from "../identity.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Origin, Outcome } from "./model.ts";

/** One block as it came in, before it is checked. */
export interface BlockSource {
  /** The file's name, or the block's source; `null` for code and control API adds, which the store numbers. */
  readonly source: string;
  /** Position in the array form, `null` for the single-object form. */
  readonly blockIndex: number | null;
  readonly raw: unknown;
}

/** A registered tool as a request sees it in `tools/list`, from fakes alone. */
export interface FakeToolListing {
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly description?: string;
}

/** The fakes of one mount: blocks indexed by scope, and the used entries of each test id. */
export interface FakeStore {
  /** Takes the first unused entry that matches, synchronously. `args` is `undefined` when the call had none. */
  claim(tool: string, args: Json | undefined, identity: Identity): Outcome;
  /** Tools declared by the blocks that apply, in load order of first declaration. */
  tools(identity: Identity): readonly FakeToolListing[];
  readonly origin?: Origin;
}
