package io.bloomgate.blocklists.operator;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where and when a node added a record to the stream, under the proof of the record: a copy at
 * another place or of another time is none, and nobody removes a record unnoticed. Made for each
 * record that is sent; immutable.
 *
 * @param stream the word of the stream
 * @param number of the record, above those of all records that this node sent before
 * @param before the number of the last record of this node that was in that stream; 0 for none
 * @param atMillis the time of Redis
 */
public record RecordLink(String stream, long number, long before, long atMillis) {

  private static final Pattern TEXT =
      Pattern.compile("(\\S{1,128}) ([0-9]{1,18}) ([0-9]{1,18}) ([0-9]{1,18})");

  /** One line. */
  public String text() {
    return stream + " " + number + " " + before + " " + atMillis;
  }

  /** Reads one; empty when the text is none. */
  public static Optional<RecordLink> parse(String text) {
    Matcher found = TEXT.matcher(text);
    return found.matches()
        ? Optional.of(
            new RecordLink(
                found.group(1),
                Long.parseLong(found.group(2)),
                Long.parseLong(found.group(3)),
                Long.parseLong(found.group(4))))
        : Optional.empty();
  }
}
