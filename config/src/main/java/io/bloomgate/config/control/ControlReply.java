package io.bloomgate.config.control;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * One line of the gateway's answer to a {@link ControlRequest}; the first member names the kind.
 * Immutable.
 */
public sealed interface ControlReply {

  /** One object of the answer; with {@code -o json} it is printed as it is, one a line. */
  record Item(@Named("item") JsonObject value) implements ControlReply {}

  /** Progress of long work: a text for a person, and the same as an object. */
  record Progress(@Named("progress") String text, JsonObject value) implements ControlReply {}

  /**
   * A sentence for the person who asked, beside the answer: what an entry lifts, what still
   * refuses.
   */
  record Note(@Named("note") String text) implements ControlReply {}

  /** The last reply to a request. */
  sealed interface End extends ControlReply {}

  /** The end of an answer; {@code exitCode} as {@code man bloomgate} lists it. */
  record Done(@Named("done") int exitCode) implements End {}

  /** The end of a request that was not carried out: what is wrong and how to fix it. */
  record Failed(@Named("failed") int exitCode, String message, String hint) implements End {}
}
