// Values that a flag or an argument takes, for the command that heeds them and for the shells that complete them.

/** Those of `ask` that a program reads. */
export const SCHEMA_FORMATS = ["stream-json", "json"] as const;
export const ASK_FORMATS = ["text", "json", "stream-json"] as const;
export const EXPORT_FORMATS = ["md", "json"] as const;
export const SHELLS = ["bash", "zsh", "fish"] as const;
