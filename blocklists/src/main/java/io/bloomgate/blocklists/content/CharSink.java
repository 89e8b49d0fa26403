package io.bloomgate.blocklists.content;

/** Takes characters that pass; they are the caller's again when a call returns. */
interface CharSink {
  /** Characters from {@code from} to {@code to} (exclusive). */
  void put(char[] text, int from, int to);
}
