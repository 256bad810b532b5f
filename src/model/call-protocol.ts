/** How tool calls travel: in fields of their own, or as text in messages for models that know no tools. */
export type CallProtocol = "native" | "text";
