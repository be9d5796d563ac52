import { expect, test } from "vitest";
import { blockSources } from "../../src/fixtures/block-sources.ts";
import { serverFaultsOf } from "../../src/fixtures/fault-schema.ts";
import { asking, emptyStore, storeOf } from "../_support/fakes.ts";

const PING = { method: "ping", params: undefined };
const SECOND = serverFaultsOf([{ method: "ping", callIndex: 1, fault: "http-503" }]);

const kindOf = (struck: ReturnType<ReturnType<typeof emptyStore>["strike"]>) => struck?.fault?.kind ?? null;

test("a file that is loaded again as it was goes on counting; a changed one begins anew", () => {
  const store = emptyStore();
  const load = (fault: string) => {
    const block = { scope: "shared", faults: [{ method: "ping", callIndex: 1, fault }] };
    store.add(blockSources(block, "a.json"), "file", { replacesFiles: true });
  };
  const strike = () => kindOf(store.strike(PING, asking()));
  load("reset");
  expect(strike()).toBe(null);
  load("reset");
  expect(strike()).toBe("reset");
  load("hang");
  expect([strike(), strike()]).toEqual([null, "hang"]);
});

test("the count of one test id is reset alone, that of requests without one by its name", () => {
  const store = emptyStore({ faults: SECOND });
  const ids = ["a", "b", null];
  const strikes = () => ids.map((testId) => kindOf(store.strike(PING, asking({ testId }))));
  expect(strikes()).toEqual([null, null, null]);
  store.reset("a");
  store.reset("__default__");
  expect(strikes()).toEqual([null, "http-503", null]);
  store.reset();
  expect(strikes()).toEqual([null, null, null]);
});

test("past the cap of test ids, the oldest is forgotten", () => {
  const store = emptyStore({ faults: SECOND, cap: 2 });
  const strikes = (...ids: string[]) => ids.map((testId) => kindOf(store.strike(PING, asking({ testId }))));
  expect(strikes("a", "b", "c", "a", "c")).toEqual([null, null, null, null, "http-503"]);
});

test("of several faults that are due, the most specific comes, and every one counts", () => {
  const fault = (kind: "hang" | "reset", callIndex: number) => [{ method: "ping", callIndex, fault: kind }];
  const store = storeOf(
    { scope: "shared", faults: fault("hang", 0) },
    { scope: { testId: "a" }, faults: [...fault("reset", 0), ...fault("hang", 2)] },
  );
  const strike = (testId: string) => kindOf(store.strike(PING, asking({ testId })));
  expect([strike("b"), strike("a"), strike("a"), strike("a")]).toEqual(["hang", "reset", null, "hang"]);
});

test("a fault that befell no request of its test is unused, unless it is optional", () => {
  const call = { method: "tools/call", params: { name: "pay" } };
  const faults = [
    { method: "tools/call", tool: "pay", callIndex: 9, fault: "http-503" },
    { method: "tools/call", tool: "payy", fault: "reset" },
    { method: "tools/list", delayMs: 5 },
    { method: "tools/list", optional: true, delayMs: 5 },
    { method: "tools/call", fault: "hang" },
  ] as const;
  const store = storeOf(
    { scope: { testId: "a" }, faults },
    { scope: "shared", faults: [{ method: "tools/call", fault: "reset" }] },
  );
  const unused = (testId: string) => store.unusedFaults(asking({ testId })).map(({ faultId }) => faultId);
  expect([kindOf(store.strike(call, asking({ testId: "a" }))), unused("a")]).toEqual([
    "hang",
    ["code#1:faults[0]", "code#1:faults[1]", "code#1:faults[2]", "code#2:faults[0]"],
  ]);
  expect(store.unusedFaults(asking({ testId: "a" }))[0]).toEqual({
    ...{ faultId: "code#1:faults[0]", mount: "/mcp", file: "code#1", tier: "testId", method: "tools/call" },
    ...{ tool: "pay", callIndex: 9, fault: "http-503", requests: 1 },
  });
  store.strike(call, asking({ testId: "b" }));
  expect(unused("b")).toEqual([]);
  store.reset("a");
  expect(unused("a")).toContain("code#1:faults[4]");
});
