import { ModelError } from "./model-error.js";

/** How tool calls travel: in fields of their own, or as text in messages for models that know no tools. */
export type CallProtocol = "native" | "text";

/** What flag or configuration say of it; `auto` leaves it to us. */
export type ProtocolSetting = CallProtocol | "auto";

/** How the requests of a session are written. It changes only where server or model make it necessary, and for good. */
export interface RequestForm {
  /** The model that it is for. */
  readonly model: string;
  readonly protocol: CallProtocol;
  /** False: the server refuses to be told of thinking. */
  readonly sendsThink: boolean;
  /** From now on calls travel as text. False if they do already, or if the user wants it otherwise. */
  useText(): boolean;
  /** Takes in why a request was refused. What of it has changed, so that the same may be asked again; else undefined. */
  adapt(error: unknown): "text" | "no-think" | undefined;
}

/** @param first what a session begins with where the setting is `auto` */
export function createRequestForm(model: string, setting: ProtocolSetting, first: CallProtocol): RequestForm {
  let protocol = setting === "auto" ? first : setting;
  let sendsThink = true;
  const form: RequestForm = {
    model,
    get protocol() {
      return protocol;
    },
    get sendsThink() {
      return sendsThink;
    },
    useText() {
      if (setting === "native" || protocol === "text") return false;
      protocol = "text";
      return true;
    },
    adapt(error) {
      if (!(error instanceof ModelError)) return undefined;
      if (error.kind === "no-tools" && form.useText()) return "text";
      if (error.kind !== "no-thinking" || !sendsThink) return undefined;
      sendsThink = false;
      return "no-think";
    },
  };
  return form;
}
