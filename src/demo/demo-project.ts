import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Runs the project's tests; the only command that the demo needs. */
export const DEMO_TEST_COMMAND = "node --test";

/** The line with the bug, and the line that mends it. */
export const DEMO_BUG = "  return itemCount > 10 ? 0.1 : 0;";
export const DEMO_FIX = "  return itemCount >= 10 ? 0.1 : 0;";

const TEST_COUNT = 3;
const TEST_TIMEOUT_MS = 30_000;

const FILES: Record<string, string> = {
  "package.json": `${JSON.stringify(
    { name: "corner-shop", private: true, type: "module", scripts: { test: DEMO_TEST_COMMAND } },
    null,
    2,
  )}\n`,
  "README.md": `# Corner shop

Adds up a shopping cart. Prices are in cents.
Whoever buys ten items or more gets 10 % off.

Run the tests with \`npm test\`.
`,
  "src/cart.js": `import { discountRate } from "./discount.js";

/** The price of all items in cents, after the discount. */
export function total(items) {
  const sum = items.reduce((cents, item) => cents + item.price * item.count, 0);
  const itemCount = items.reduce((count, item) => count + item.count, 0);
  return Math.round(sum * (1 - discountRate(itemCount)));
}
`,
  "src/discount.js": `/** Ten items or more: 10 % off. */
export function discountRate(itemCount) {
${DEMO_BUG}
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/cart.js";

const apples = (count) => [{ name: "apple", price: 50, count }];

test("nine items cost the full price", () => {
  assert.equal(total(apples(9)), 450);
});

test("ten items get the discount", () => {
  assert.equal(total(apples(10)), 450);
});

test("twenty items get the discount", () => {
  assert.equal(total(apples(20)), 900);
});
`,
};

/** Writes a small JavaScript project into an existing folder; one of its three tests fails. Needs no install. */
export async function makeDemoProject(folder: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Runs the project's tests itself, whatever the agent said. A run that lost one of the tests does not pass. */
export function verifyDemo(folder: string): Promise<{ passes: boolean; output: string }> {
  return new Promise((resolve) => {
    const args = ["--test", "--test-reporter=tap"];
    execFile(process.execPath, args, { cwd: folder, timeout: TEST_TIMEOUT_MS }, (error, stdout, stderr) => {
      const passes = error === null && stdout.includes(`\n# pass ${TEST_COUNT}\n`);
      resolve({ passes, output: stdout + stderr || (error?.message ?? "") });
    });
  });
}
