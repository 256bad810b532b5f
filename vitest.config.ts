import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // They wait for processes more than they compute.
    maxWorkers: "100%",
    // Tests start real processes and servers; the limit only ends a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
