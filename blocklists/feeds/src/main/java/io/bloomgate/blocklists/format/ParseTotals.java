package io.bloomgate.blocklists.format;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a parser in one text. Immutable.
 *
 * @param lines of the decompressed text
 * @param entries given to the sink, repeats included, a range counted once
 * @param invalid problems given to the sink
 * @param skipped lines that say something but list nothing: headers, metadata, localhost
 * @param masked networks whose host bits were set
 * @param damageReason why the text as a whole cannot be trusted, {@code null} when it can
 */
public record ParseTotals(
    long lines,
    long entries,
    long invalid,
    long skipped,
    long masked,
    @Nullable String damageReason) {

  /** Nothing read. */
  public static final ParseTotals NONE = new ParseTotals(0, 0, 0, 0, 0, null);

  /** The reason why the text as a whole cannot be trusted: cut off, not JSON, no such column. */
  public Optional<String> damage() {
    return Optional.ofNullable(damageReason);
  }

  public ParseTotals damaged(String reason) {
    return damageReason != null
        ? this
        : new ParseTotals(lines, entries, invalid, skipped, masked, reason);
  }
}
