import { CommanderError } from "commander";
import { hasUnicode } from "../unicode.js";
import { en } from "./en.js";

/** The catalogue; a language that lacks a key does not compile. */
export type Messages = typeof en;

export type Language = "en" | "zh";

/** English is at hand; another language, and symbols in ASCII, are loaded when they are wanted. */
export async function loadMessages(
  language: Language,
  { unicode = true }: { unicode?: boolean } = {},
): Promise<Messages> {
  const messages = language === "zh" ? (await import("./zh.js")).zh : en;
  return unicode ? messages : (await import("./ascii.js")).asciiMessages(messages);
}

/**
 * The first of flag, MINI_CC_LANG and configuration that is set; "auto" and nothing at all mean the locale
 * (LC_ALL, LC_MESSAGES, LANG), which must be able to show the language. Throws a CommanderError, a mistake of usage, if
 * the flag or the variable names another.
 */
export function chooseLanguage(sources: {
  flag: string | undefined;
  config: string | undefined;
  environment: Record<string, string | undefined>;
}): Language {
  const { flag, config, environment } = sources;
  const chosen = flag ?? (environment["MINI_CC_LANG"] || config) ?? "auto";
  if (chosen === "en" || chosen === "zh") return chosen;
  if (chosen !== "auto") {
    const source = flag === undefined ? "MINI_CC_LANG" : "--lang";
    const text = en.usage.invalidValue(source, chosen, "en, zh, auto");
    throw new CommanderError(2, "mini-cc.language", text);
  }
  const locale = environment["LC_ALL"] || environment["LC_MESSAGES"] || environment["LANG"] || "";
  return /^zh([_.-]|$)/i.test(locale) && hasUnicode(environment) ? "zh" : "en";
}
