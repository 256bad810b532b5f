// Bundles src/ into dist/: commander alone in the entry, everything else in chunks that are loaded when used.
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
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

const root = import.meta.dirname;
const dist = join(root, "dist");
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  define: { __MINI_CC_VERSION__: JSON.stringify(version) },
  logLevel: "warning",
  metafile: true,
};

/** Source files that the entry loads when it needs them, by the names of their chunks. */
const lazy = {};
const lazyImports = {
  name: "lazy-imports",
  setup(plugins) {
    plugins.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const file = resolve(resolveDir, path.replace(/\.js$/, ".ts"));
      const name = relative(join(root, "src"), file).replaceAll(sep, "-").replace(/\.ts$/, "");
      lazy[name] = file;
      return { path: `./${name}.mjs`, external: true };
    });
  },
};

await rm(dist, { recursive: true, force: true });
// The entry holds commander and our words. It is CommonJS, which node starts in two thirds of the time of a module.
const entry = await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outfile: join(dist, "index.js"),
  format: "cjs",
  plugins: [lazyImports, leaveOut],
});
const chunks = await build({
  ...common,
  entryPoints: lazy,
  outdir: dist,
  outExtension: { ".js": ".mjs" },
  splitting: true,
  format: "esm",
  // jsonc-parser's "main" is UMD, which finds its own parts only when it is not bundled.
  mainFields: ["module", "main"],
  // The ripgrep binary comes as an optional package of its own.
  external: ["@vscode/ripgrep"],
  plugins: [leaveOut],
  // Bundled CommonJS libraries call require() for Node's own modules.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
});
await writeFile(join(dist, "package.json"), '{ "type": "commonjs" }\n');
// What scripts may check the output against, beside the program that prints it.
const { SCHEMA_FORMATS, outputSchema } = await import(
  pathToFileURL(join(dist, "cli-commands-output-schema.mjs")).href
);
for (const format of SCHEMA_FORMATS) {
  await writeFile(join(dist, `${format}.schema.json`), `${JSON.stringify(outputSchema(format), null, 2)}\n`);
}
await writeFile(join(dist, "LICENSES.txt"), await licencesOf([entry, chunks]));
await chmod(join(dist, "index.js"), 0o755);

/** What the licences of the libraries in the bundle want to go along with it: their texts, or where one has none its name. */
async function licencesOf(builds) {
  const used = builds.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
    ),
  );
  const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
  const packages = [...new Set(used.flatMap((file) => folder.exec(file)?.[0] ?? []))].sort();
  const licences = packages.map(async (path) => {
    const { name, version, license } = JSON.parse(await readFile(join(root, path, "package.json"), "utf8"));
    if (!license) throw new Error(`${name} names no licence`);
    const file = (await readdir(join(root, path))).find((each) => /^licen[cs]e(?:\.|$)/i.test(each));
    const text = file === undefined ? "" : await readFile(join(root, path, file), "utf8");
    return `${name} ${version} (${license})\n\n${text}`.trim();
  });
  return `${(await Promise.all(licences)).join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
