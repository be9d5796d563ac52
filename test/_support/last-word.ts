/** What is said when the run of the project `last-word` ends, whichever runner it has. */
export const LAST_WORD = `
mcp-fakes: 1 tool call carried no test id, and so saw no test's own fakes, which makes the run fail (exit code 1) whatever its tests say. Calls made by a test get its id by themselves. For a client in another process use mcp.taggedUrl, mcp.headers or mcp.env.
  1. used at http://127.0.0.1:<port>/mcp (client agent)

mcp-fakes: 1 tool call had no answer yet when the test ended. Await all that the agent does before the test returns.
  1. slow at http://127.0.0.1:<port>/mcp (test run.test.ts › tickets › does not wait for its agent, client agent)

mcp-fakes: 3 requests were refused before anything scripted was asked. No test fails for that alone.
  1. test run.test.ts › tickets › keeps to itself that it was refused
     delete_all: HTTP 400: Bad Request: the Mcp-Session-Id header is missing; send initialize first and repeat the id that it answers
     HTTP 404: Not found: POST /v1/images/generations (mounted: /mcp) (2 times)

mcp-fakes: 2 scopes name tests that this run does not have. Compare testId with the names of your tests.
  1. "tickets › wroks" in tickets.json; the closest is "tickets › works"
  2. "tickets › wokrs" in faults.json; the closest is "tickets › works"

mcp-fakes: 4 shared fakes were used by no test:
  1. shared.json:used#1
  2. shared.json:used#2
  3. shared.json:unused#0
  4. hello.json:fixtures[1]

mcp-fakes: 3 fixture files gave 5 answers: shared.json (3), tickets.json (1), hello.json (1).
mcp-fakes: no test used idle.json.
`;
