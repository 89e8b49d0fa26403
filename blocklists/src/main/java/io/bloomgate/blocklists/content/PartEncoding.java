package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.content.PartHead.Encoding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Content-Transfer-Encoding fields say of a body; RFC 2045 section 6. Used by {@link
 * PartHead}, on the thread of the mail.
 *
 * <p>The first that is known counts, as in most mail clients. Others take the last, and some find
 * an encoding in a field that the rest do not understand.
 */
final class PartEncoding {

  private static final byte[] BASE64 = octets("base64");
  private static final byte[] QUOTED = octets("quoted-printable");
  private static final byte[][] IDENTITIES = {octets("7bit"), octets("8bit"), octets("binary")};

  private Encoding first;
  private boolean known;
  private boolean twice;

  /** Those of all other readers, {@code null} for none. */
  private @Nullable Set<Encoding> all;

  /** Nothing is read yet. */
  PartEncoding() {
    this(Encoding.IDENTITY);
  }

  PartEncoding(Encoding first) {
    this.first = first;
  }

  private static byte[] octets(String word) {
    return word.getBytes(ISO_8859_1);
  }

  /** Forgets everything. */
  void reset() {
    first = Encoding.IDENTITY;
    known = false;
    twice = false;
    all = null;
  }

  Encoding first() {
    return first;
  }

  /** True when the body is neither Base64 nor quoted-printable. */
  boolean isPlain() {
    return first == Encoding.IDENTITY || first == Encoding.UNKNOWN;
  }

  /** True when two fields name one. */
  boolean isTwice() {
    return twice;
  }

  /** What else other readers take, Base64 first: without it no link is read. */
  List<Encoding> others() {
    if (all == null) {
      return List.of();
    }
    List<Encoding> others = new ArrayList<>(all);
    others.remove(isPlain() ? Encoding.IDENTITY : first);
    Collections.reverse(others);
    return others;
  }

  /** Reads the body of a field. */
  void read(byte[] octets, int from, int to) {
    int begin = PartType.skip(octets, from, to, false);
    int end = PartType.wordEnd(octets, begin, to, false);
    if (begin == end) {
      return;
    }
    Encoding found = known(octets, begin, end);
    twice |= known;
    if (known) {
      other(found);
    } else {
      first = found;
      known = found != Encoding.UNKNOWN;
    }
    boolean alone =
        begin == Parameters.skipBlanks(octets, from, to)
            && end == Parameters.trimBlanks(octets, end, to);
    if (found == Encoding.UNKNOWN || !alone) {
      other(Encoding.UNKNOWN); // for readers that know the words alone
      looselyIn(octets, from, to, BASE64, Encoding.BASE64);
      looselyIn(octets, from, to, QUOTED, Encoding.QUOTED_PRINTABLE);
    }
  }

  private static Encoding known(byte[] octets, int begin, int end) {
    if (Octets.isLower(octets, begin, end, BASE64)) {
      return Encoding.BASE64;
    }
    if (Octets.isLower(octets, begin, end, QUOTED)) {
      return Encoding.QUOTED_PRINTABLE;
    }
    for (byte[] identity : IDENTITIES) {
      if (Octets.isLower(octets, begin, end, identity)) {
        return Encoding.IDENTITY;
      }
    }
    return Encoding.UNKNOWN;
  }

  /** Some readers find the word among others: JavaMail takes the first that is one. */
  private void looselyIn(byte[] octets, int from, int to, byte[] word, Encoding found) {
    for (int i = from; i + word.length <= to; i++) {
      if (Octets.startsWithLower(octets, i, to, word)) {
        other(found);
        return;
      }
    }
  }

  private void other(Encoding found) {
    Set<Encoding> others = all == null ? EnumSet.noneOf(Encoding.class) : all;
    others.add(found == Encoding.UNKNOWN ? Encoding.IDENTITY : found);
    all = others;
  }
}
