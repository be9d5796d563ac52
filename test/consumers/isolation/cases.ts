import { setTimeout as pause } from "node:timers/promises";
import { type Agent, agents } from "./agents.ts";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  mcp,
  repeated,
  retried,
  test,
} from "./runner.ts";

/** The 25 tests of one file. Every file has the same ones, with the same names. */
export function isolationCases(): void {
  const shared = new Map<string, Agent>();

  function agent(name: string): Agent {
    const found = shared.get(name);
    if (found === undefined) throw new Error(`no agent ${name}`);
    return found;
  }

  beforeAll(async () => {
    for (const [name, connect] of Object.entries(agents)) shared.set(name, await connect(mcp.url));
  });

  afterAll(async () => {
    for (const { close } of shared.values()) await close();
  });

  for (const name of Object.keys(agents)) {
    test.concurrent(`${name}, shared by all tests of the file`, () => getsItsOwnAnswers(agent(name)));
  }

  for (const [name, connect] of Object.entries(agents).slice(0, 9)) {
    test(`${name}, made by the test`, async () => {
      const made = await connect(mcp.url);
      await getsItsOwnAnswers(made);
      await made.close();
    });
  }

  test.concurrent("one name", () => getsTheScriptedAnswers(agent("axios")));
  test("one name", () => getsTheScriptedAnswers(agent("fetch")));

  let attempts = 0;
  retried("has its fakes again when it is tried again", 2, async () => {
    await getsTheScriptedAnswers(agent("fetch"));
    if (++attempts < 3) throw new Error("not yet");
  });

  repeated("has its fakes again when it is repeated", 2, () => getsTheScriptedAnswers(agent("undici request")));

  describe("hooks", () => {
    beforeEach(async () => {
      expect(await agent("node:http").call("next", {})).toBe("first");
    });
    afterEach(async () => {
      expect(await agent("SDK 2").call("next", {})).toBe("third");
      expect(mcp).toHaveConsumedAllFakes();
    });
    test("belong to their test", async () => {
      expect(await agent("SDK 1").call("next", {})).toBe("second");
    });
  });
}

/** Answers that name the test: another test's answer, or a call of this test that another got, is seen. */
async function getsItsOwnAnswers(agent: Agent): Promise<void> {
  const id = mcp.testId;
  const answers = ["first", "second", "third", "fourth"].map((word) => `${word} of ${id}`);
  await mcp.fake("next", ...answers.map((result) => ({ anyArgs: true as const, result })));
  for (const [step, answer] of answers.entries()) {
    expect(await agent.call("next", { step })).toBe(answer);
    await pause(step);
  }
  expect(mcp.testId).toBe(id);
  expect(mcp.calls.map(({ args }) => args)).toEqual([{ step: 0 }, { step: 1 }, { step: 2 }, { step: 3 }]);
  expect(mcp).toHaveConsumedAllFakes();
}

/** Answers from the fixture file, whose blocks name tests without their file. */
async function getsTheScriptedAnswers(agent: Agent): Promise<void> {
  for (const answer of ["first", "second", "third"]) {
    expect(await agent.call("next", { answer })).toBe(answer);
    await pause(2);
  }
  expect(mcp).toHaveCalledToolTimes("next", 3);
}
