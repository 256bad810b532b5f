import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts"],
    // Tests start real processes and servers; the limit only ends a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
