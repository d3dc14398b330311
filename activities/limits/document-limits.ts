/** Limits of the text of documents and archives, which strangers may have made to be large. Durations are milliseconds. */
export const documentLimits = {
  /** Bytes of a file that is read. */
  bytes: 64 * 1024 * 1024,
  /** Documents that one worker reads at once. */
  atOnce: 2,
  /** One document. Before the end of its time a reader stops between two parts and gives what it has. */
  timeout: 10_000,
  softTimeout: 7_000,
  /** A call of a tool, which may wait for other documents. */
  toolTimeout: 60_000,
  /** Bytes of heap and buffers of the thread together; MB of its heap alone. */
  memory: 384 * 1024 * 1024,
  heap: 384,
  /** Characters of the text that is kept. */
  text: 2 * 1024 * 1024,
  /** Bytes that the entries of one archive may unpack to, together. */
  unpacked: 64 * 1024 * 1024,
  /** Entries of an archive that are listed; an office document has no more. */
  entries: 10_000,
  /** Entries among which the nearest name is looked for. */
  nearNames: 1_000,
  /** Characters of the name of an entry, a sheet or a slide. */
  name: 500,
  /** Attributes of one XML element that are read; characters of one. */
  attributes: 64,
  attribute: 2_000,
  /** Columns of a sheet that are shown, and empty rows in a row that are. */
  columns: 500,
  emptyRows: 20,
  /** Characters of one cell. */
  cell: 32_767,
  /** Texts that cells share, and styles of a document. */
  sharedTexts: 1_000_000,
  styles: 10_000,
  /** Pages, slides or sheets that are looked at. */
  parts: 10_000,
  /** Bytes in which the printable beginning of unknown data is looked for, and characters of it. */
  unknownHead: 1_024,
  unknownText: 200,
} as const;
