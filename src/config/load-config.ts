import { findConfigFiles } from "./find-files.js";
import { debugOrigin, environmentSettings, flagRules, flagSettings, nested } from "./overrides.js";
import type { ConfigFlags, ConfigRule, Origin, Setting } from "./overrides.js";
import { judgeProjectFile } from "./project-file.js";
import type { Widening } from "./project-file.js";
import { readConfigFile } from "./read-config-file.js";
import type { ConfigWarning, ReadConfig } from "./read-config-file.js";
import { CONFIG_KEYS, configSchema } from "./schema.js";
import type { Config, ConfigFile } from "./schema.js";
import { resolveFolders } from "./state-folders.js";
import type { FolderInput, Folders } from "./state-folders.js";
import { readTrust } from "./trust.js";
import type { TrustableFile, TrustRecord } from "./trust.js";

export interface LoadConfigInput extends FolderInput {
  flags: ConfigFlags;
  /** Absolute. */
  workspace: string;
  /** Whether an entry of `allowedCommands` lies inside the built-in read-only list. */
  isReadOnlyDefault: (entry: string) => boolean;
}

export interface ProjectFile extends TrustableFile {
  trusted: boolean;
  /** The user was asked about this content and said no. */
  refused: boolean;
  /** What counts only if the file is trusted. */
  widens: Widening[];
  /** The content that was trusted before, if it was another. */
  trustedBefore: string | undefined;
}

export interface LoadedConfig {
  config: Config;
  /** By key with a dot, `debug` included; the command lists have theirs in `rules`. */
  origins: Record<string, Origin>;
  rules: { allow: ConfigRule[]; deny: ConfigRule[] };
  /** False once any file that was read names `allowedCommands`, even empty or not counted. */
  readOnlyDefaultsActive: boolean;
  filesRead: string[];
  projectFile: ProjectFile | undefined;
  folders: Folders;
  warnings: ConfigWarning[];
}

const DEFAULT_ORIGIN: Origin = { layer: "default", source: "" };
/** Keys that are no value with one origin. */
const SEPARATE_KEYS = ["$schema", "allowedCommands", "deniedCommands"];

/** A file's values, or those of them that count. */
interface Source {
  values: ConfigFile;
  origin: Origin;
}

/**
 * The configuration in force, flag > environment > project file > user file > default, key by key; command lists add
 * up. Reads files, writes none. Throws a UserError (exit code 2) for any mistake in them, a flag or a variable.
 */
export async function loadConfig(input: LoadConfigInput): Promise<LoadedConfig> {
  const overrides = [...environmentSettings(input.env), ...flagSettings(input.flags)];
  const folders = resolveFolders(input);
  const found = await findConfigFiles(input.workspace, folders, input.homeDir);
  const user = found.userFile ? await readConfigFile(found.userFile) : undefined;
  const project = found.projectFile ? await readConfigFile(found.projectFile) : undefined;

  const sources: Source[] = [];
  const warnings = [...found.warnings, ...(user?.warnings ?? []), ...(project?.warnings ?? [])];
  if (user && found.userFile) {
    sources.push({ values: user.values, origin: { layer: "user", source: found.userFile } });
  }
  let projectFile: ProjectFile | undefined;
  if (project && found.projectFile) {
    const path = found.projectFile;
    const trust = await readTrust(folders.state);
    const judged = judgeProjectFile(
      path,
      project.values,
      configSchema.parse(user?.values ?? {}),
      input.isReadOnlyDefault,
    );
    projectFile = { ...trustOf(path, project, trust), widens: judged.widens };
    sources.push({
      values: projectFile.trusted ? judged.trusted : judged.untrusted,
      origin: { layer: "project", source: path },
    });
    warnings.push(...judged.warnings, ...trust.warnings);
  }

  return {
    ...merge([...sources.flatMap(fileSettings), ...overrides], debugOrigin(input.flags, input.env)),
    rules: {
      allow: [...fileRules("allowedCommands", sources), ...flagRules(input.flags)],
      deny: fileRules("deniedCommands", sources),
    },
    readOnlyDefaultsActive: ![user, project].some((file) => file?.values.allowedCommands),
    filesRead: sources.map((source) => source.origin.source),
    projectFile,
    folders,
    warnings,
  };
}

function trustOf(path: string, file: ReadConfig, trust: TrustRecord): Omit<ProjectFile, "widens"> {
  const { sha256, text } = file;
  const known = Object.hasOwn(trust.files, path) ? trust.files[path] : undefined;
  const isKnown = known?.sha256 === sha256;
  const refused = isKnown && known.refused === true;
  const trusted = isKnown && !refused;
  const trustedBefore = isKnown || known?.refused === true ? undefined : known?.text;
  return { path, sha256, text, trusted, refused, trustedBefore };
}

function merge(settings: Setting[], debug: Origin | undefined): Pick<LoadedConfig, "config" | "origins"> {
  // The last of several settings of one key wins.
  const inForce = new Map(settings.map((setting) => [setting.key, setting]));
  const values = nested([...inForce].map(([key, { value }]) => [key, value]));
  const origins = CONFIG_KEYS.filter((key) => !SEPARATE_KEYS.includes(key)).map((key) => [
    key,
    inForce.get(key)?.origin ?? DEFAULT_ORIGIN,
  ]);
  return {
    config: { ...configSchema.parse(values), debug: debug !== undefined },
    origins: Object.fromEntries([...origins, ["debug", debug ?? DEFAULT_ORIGIN]]) as Record<string, Origin>,
  };
}

function fileSettings({ values, origin }: Source): Setting[] {
  return Object.entries(values)
    .filter(([key]) => !SEPARATE_KEYS.includes(key))
    .flatMap(([key, value]) =>
      typeof value === "object"
        ? Object.entries(value).map(([name, inner]) => ({ key: `${key}.${name}`, value: inner, origin }))
        : [{ key, value, origin }],
    );
}

function fileRules(list: "allowedCommands" | "deniedCommands", sources: Source[]): ConfigRule[] {
  return sources.flatMap(({ values, origin }) => (values[list] ?? []).map((text) => ({ text, origin })));
}
