/** A call as it was found, before anything is known of the tool. */
export interface RawCall {
  name: string;
  /** Undefined: they could not be read. */
  args: unknown;
  /** Keys beside name and arguments that belong to neither. */
  extra: readonly string[];
  /** `explicit`: under a key or in brackets of their own; `flat`: beside the name. */
  shape: "explicit" | "flat";
  /** Its end, or the end of one of its values, was inferred. */
  guessed: boolean;
  /** It breaks off. */
  truncated: boolean;
  /** All of it is there but the mark that ends it. */
  unclosed: boolean;
}

export interface ReadCalls {
  calls: RawCall[];
  end: number;
  /** A name for the form, where it says more than the marks around it. */
  form?: string;
}

export function rawCall(call: Pick<RawCall, "name" | "args"> & Partial<RawCall>): RawCall {
  return { extra: [], shape: "explicit", guessed: false, truncated: false, unclosed: false, ...call };
}
