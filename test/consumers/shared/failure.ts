/** The text with which an assertion fails. In a diff, Jest names what plain objects are. */
export function failure(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message.replace(/^([-+ ] )Object \{$/gm, "$1{");
  }
  throw new Error("the assertion holds");
}
