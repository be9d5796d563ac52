/** A test as its runner announced it. */
export interface AnnouncedTest {
  readonly testId: string;
  readonly file: string;
  /** Names from the outermost describe to the test. */
  readonly names: readonly string[];
  /** 1 for the first try; a retry, repeat or re-run counts up. */
  readonly attempt: number;
  readonly state: "running" | "ended";
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** The tests that a runner announced. */
export interface TestRegistry {
  get(testId: string): AnnouncedTest | undefined;
  /** The scope ids, beside its own id, that an announced test answers to: its names in each runner's joining. */
  aliases(testId: string): readonly string[];
}
