// Loaded into a measured process with `node -r`: reports what it used, on file descriptor 3, when it ends.
const { writeSync } = require("node:fs");
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024 }));
});
