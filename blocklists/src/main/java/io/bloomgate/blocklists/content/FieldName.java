package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The header fields that are looked at. Used by {@link HeaderReader} and its readers. */
enum FieldName {
  /** RFC 2045 section 5. */
  CONTENT_TYPE(Counted.PARAMETERS),
  /** RFC 2183. */
  CONTENT_DISPOSITION(Counted.PARAMETERS),
  /** RFC 2045 section 6. */
  CONTENT_TRANSFER_ENCODING(Counted.PARAMETERS),
  /** RFC 5322 section 3.6.2; the fields that follow are of the same RFC. */
  FROM(Counted.ADDRESSES),
  REPLY_TO(Counted.ADDRESSES),
  SENDER(Counted.ADDRESSES),
  TO(Counted.ADDRESSES),
  CC(Counted.ADDRESSES),
  BCC(Counted.ADDRESSES),
  RESENT_FROM(Counted.ADDRESSES),
  RESENT_TO(Counted.ADDRESSES),
  RESENT_CC(Counted.ADDRESSES),
  RESENT_BCC(Counted.ADDRESSES),
  SUBJECT(Counted.NOTHING),
  /** RFC 5322 section 3.6.4: which mail this one answers. */
  IN_REPLY_TO(Counted.NOTHING),
  REFERENCES(Counted.NOTHING),
  /** RFC 2557 section 4: what links of a part are relative to; the other is of RFC 2110. */
  CONTENT_LOCATION(Counted.NOTHING),
  CONTENT_BASE(Counted.NOTHING),
  /** RFC 2369: mail clients show a button for it. */
  LIST_UNSUBSCRIBE(Counted.NOTHING);

  /** What a limit counts in a field. */
  enum Counted {
    PARAMETERS,
    ADDRESSES,
    NOTHING
  }

  /** By the number of octets. */
  private static final FieldName[][] ALL = byLength();

  private final Counted counted;

  @SuppressWarnings("ImmutableEnumChecker") // nobody writes to the array
  private final byte[] lower =
      name().toLowerCase(Locale.ROOT).replace('_', '-').getBytes(ISO_8859_1);

  FieldName(Counted counted) {
    this.counted = counted;
  }

  Counted counted() {
    return counted;
  }

  private static FieldName[][] byLength() {
    int longest = Arrays.stream(values()).mapToInt(name -> name.lower.length).max().orElse(0);
    return IntStream.rangeClosed(0, longest)
        .mapToObj(length ->
            Arrays.stream(values())
                .filter(name -> name.lower.length == length)
                .toArray(FieldName[]::new))
        .toArray(FieldName[][]::new);
  }

  /** The field with a name in any case, {@code null} for one that is not looked at. */
  static @Nullable FieldName of(byte[] octets, int from, int to) {
    if (to - from < ALL.length) {
      for (FieldName name : ALL[to - from]) {
        if (Octets.startsWithLower(octets, from, to, name.lower)) {
          return name;
        }
      }
    }
    return null;
  }
}
