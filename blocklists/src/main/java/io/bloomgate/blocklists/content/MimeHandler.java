package io.bloomgate.blocklists.content;

/** Takes what {@link MimeSplitter} finds in a mail, in the order of its octets. */
interface MimeHandler extends OctetSink {
  /** A field of a header block, up to {@link HeaderReader#MOST_OCTETS}. */
  void field(FieldName name, byte[] octets, int from, int to, Position position);

  /**
   * A body begins that is neither multipart nor a mail to look into; its octets follow.
   *
   * @param whole false for lines of a header that are no fields, which some readers take for the
   *     body
   */
  void begin(PartHead head, Position position, boolean whole);

  /** The body ends. */
  void end();

  /** The body ends here for some readers, and goes on for others. */
  void mayEnd();

  /** Another handler, which takes parts while a body of this one is open. */
  MimeHandler beside();

  /** Something that was not looked at. */
  void skipped(Skipped what);
}
