import type { JsonObject } from "../json.ts";
import { chunksOf } from "./answer.ts";
import type { StreamEvent } from "./codec.ts";
import { objectsOf, textOf } from "./reading.ts";

type Draft = JsonObject & { type: string };

/** A finished response told as the events in which it would have come into being, numbered from 0. */
export function responseEvents(told: {
  response: JsonObject;
  items: readonly JsonObject[];
  chunkSize: number;
}): StreamEvent[] {
  const { response, items, chunkSize } = told;
  const begun = { ...response, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const drafts: Draft[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap((item, index) => itemEvents(item, { index, chunkSize })),
    { type: `response.${response.status}`, response },
  ];
  return drafts.map((draft, sequence) => ({
    event: draft.type,
    data: JSON.stringify({ ...draft, sequence_number: sequence }),
  }));
}

interface Place {
  readonly index: number;
  readonly chunkSize: number;
}

function itemEvents(item: JsonObject, place: Place): Draft[] {
  const output = { output_index: place.index };
  return [
    { type: "response.output_item.added", ...output, item: emptyItem(item) },
    ...contentEvents(item, place),
    { type: "response.output_item.done", ...output, item },
  ];
}

/** The item before anything was said. */
function emptyItem(item: JsonObject): JsonObject {
  switch (item.type) {
    case "message":
      return { ...item, status: "in_progress", content: [] };
    case "function_call":
      return { ...item, status: "in_progress", arguments: "" };
    default:
      return { ...item, summary: [] };
  }
}

function contentEvents(item: JsonObject, { index, chunkSize }: Place): Draft[] {
  const at = { item_id: item.id ?? "", output_index: index };
  switch (item.type) {
    case "message":
      return objectsOf(item.content).flatMap((part, content_index) =>
        textEvents(part, { ...at, content_index }, { chunkSize, words: OUTPUT_TEXT }),
      );
    case "function_call": {
      const name = item.name ?? "";
      const text = textOf(item.arguments) ?? "";
      const type = "response.function_call_arguments";
      return [
        ...chunksOf(text, chunkSize).map((delta) => ({ type: `${type}.delta`, ...at, delta })),
        { type: `${type}.done`, ...at, name, arguments: text },
      ];
    }
    default:
      return objectsOf(item.summary).flatMap((part, summary_index) =>
        textEvents(part, { ...at, summary_index }, { chunkSize, words: SUMMARY_TEXT }),
      );
  }
}

/** The events of a part, and what its deltas and its end carry beside the text. */
interface PartWords {
  readonly part: string;
  readonly text: string;
  readonly beside: JsonObject;
}

const OUTPUT_TEXT: PartWords = { part: "content_part", text: "output_text", beside: { logprobs: [] } };
const SUMMARY_TEXT: PartWords = { part: "reasoning_summary_part", text: "reasoning_summary_text", beside: {} };

function textEvents(
  part: JsonObject,
  at: JsonObject,
  { chunkSize, words }: { chunkSize: number; words: PartWords },
): Draft[] {
  const text = textOf(part.text) ?? "";
  return [
    { type: `response.${words.part}.added`, ...at, part: { ...part, text: "" } },
    ...chunksOf(text, chunkSize).map((delta) => ({
      type: `response.${words.text}.delta`,
      ...at,
      delta,
      ...words.beside,
    })),
    { type: `response.${words.text}.done`, ...at, text, ...words.beside },
    { type: `response.${words.part}.done`, ...at, part },
  ];
}
