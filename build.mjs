// Bundles src/ into dist/: commander alone in the entry, everything else in chunks that are loaded when used.
import { chmod, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { build } from "esbuild";

/** Parts of libraries that mini-cc never uses, left out for the sake of start-up. */
const LEFT_OUT = [
  {
    // Would send prompts to a server on the internet. LangChain makes one and, without tracing, never uses it.
    file: /langsmith\/(lib\/)?client\.mjs$/,
    instead: "export class Client {} export class Langsmith {}",
  },
  {
    // What a saved conversation may hold: messages, not all that LangChain could ever write down.
    file: /@langchain\/core\/dist\/load\/import_map\.js$/,
    instead:
      'import { messages_exports } from "../messages/index.js"; export const import_map_exports = { messages: messages_exports };',
  },
  {
    // A fetch for browsers that have none.
    file: /whatwg-fetch\/fetch\.js$/,
    instead: "export {};",
  },
  {
    file: /zod\/v4\/locales\/index\.js$/,
    instead: 'export { default as en } from "./en.js";',
  },
  {
    // Commander could start other programs as subcommands; node takes its time to load what that needs.
    file: /commander\/lib\/command\.js$/,
    from: "require('node:child_process')",
    to: "{}",
  },
];

const leaveOut = {
  name: "leave-out",
  setup(plugins) {
    for (const { file, instead, from, to } of LEFT_OUT) {
      plugins.onLoad({ filter: file }, async ({ path }) => {
        const contents = instead ?? (await readFile(path, "utf8")).replace(from, to);
        return { contents, resolveDir: dirname(path) };
      });
    }
  },
};

const { version } = JSON.parse(await readFile(new URL("package.json", import.meta.url), "utf8"));

await rm(new URL("dist", import.meta.url), { recursive: true, force: true });
await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node20",
  // jsonc-parser's "main" is UMD, which finds its own parts only when it is not bundled.
  mainFields: ["module", "main"],
  // The ripgrep binary comes as an optional package of its own.
  external: ["@vscode/ripgrep"],
  plugins: [leaveOut],
  // Bundled CommonJS libraries call require() for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  define: { __MINI_CC_VERSION__: JSON.stringify(version) },
  logLevel: "warning",
});
await chmod(new URL("dist/index.js", import.meta.url), 0o755);
