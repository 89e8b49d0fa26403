package io.bloomgate.blocklists.content;

/** Takes octets that pass; they are the caller's again when a call returns. */
interface OctetSink {
  /** Octets from {@code from} to {@code to} (exclusive). */
  void put(byte[] octets, int from, int to);
}
