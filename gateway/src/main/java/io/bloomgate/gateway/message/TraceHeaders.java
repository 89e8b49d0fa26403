package io.bloomgate.gateway.message;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.Escape;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields that are put above a relayed message. Pure; called by sessions once a message.
 */
public final class TraceHeaders {

  /** RFC 5322 section 2.1.1, without CRLF; a longer word has a line for itself. */
  private static final int GOOD_LINE_CHARS = 78;

  private static final int MAX_NAME_CHARS = 255;
  private static final int MAX_SUBJECT_CHARS = 320;
  // RFC 5321 section 4.5.3.1.3 has 256; beyond, the clause is left out rather than cut.
  private static final int MAX_PATH_CHARS = 512;

  private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] MONTHS = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };

  private static final String UTF8 = "UTF8";

  private TraceHeaders() {}

  /**
   * The protocol by which the message came in: the word after {@code with} (RFC 3848, RFC 6531
   * section 4.3).
   *
   * @param extended EHLO was sent
   * @param utf8 MAIL had SMTPUTF8
   */
  public static String protocol(boolean extended, boolean encrypted, boolean utf8) {
    return (utf8 ? UTF8 : extended || encrypted ? "E" : "") + (encrypted ? "SMTPS" : "SMTP");
  }

  /**
   * A listing that is shown to the mail server's users.
   *
   * @param kind client_ip, client_name, helo, sender or sender_domain
   * @param subject what was listed, as it came
   */
  public record Finding(String kind, String subject, String feed, String id) {}

  /**
   * The Received field (RFC 5321 section 4.4).
   *
   * @param helo as the client gave it; empty when it gave none
   * @param hostName ours
   * @param protocol as {@link #protocol}
   * @param id incident id
   * @param onlyRecipient the recipient's path as it came, {@code null} unless there is exactly one:
   *     more would betray blind copies (RFC 5321 section 7.6)
   */
  public static byte[] received(
      String helo,
      IpAddress client,
      String hostName,
      String protocol,
      String id,
      @Nullable String onlyRecipient,
      Instant time) {
    List<String> words = new ArrayList<>(10);
    words.addAll(List.of("from", helo(helo), "(unknown", "[" + literal(client) + "])"));
    words.addAll(List.of("by", Escape.text(hostName, MAX_NAME_CHARS)));
    words.add("(bloomgate) with " + protocol + " id");
    if (onlyRecipient != null && isWritable(onlyRecipient, protocol)) {
      words.addAll(List.of(Escape.text(id) + " for", "<" + onlyRecipient + ">;"));
    } else {
      words.add(Escape.text(id) + ";");
    }
    words.add(date(time));
    return folded("Received:", words).getBytes(StandardCharsets.UTF_8);
  }

  /** The three fields of action tag. */
  public static byte[] tagged(Finding finding) {
    String text =
        "X-Spam-Flag: YES\r\n"
            + folded(
                "X-Spam-Status:",
                List.of(
                    "Yes,",
                    "listed=" + Escape.text(finding.feed()),
                    "action=tag",
                    "id=" + Escape.text(finding.id())))
            + verdict("verdict=tag;", finding);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The field of mode observe.
   *
   * @param wouldBe the verdict of mode enforce: reject, tempfail or tag
   */
  public static byte[] observed(String wouldBe, Finding finding) {
    return verdict("would=" + Escape.text(wouldBe) + ";", finding)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The field of a mail of which many copies passed. */
  public static byte[] bulk(Bulk bulk) {
    return ours("bulk=" + bulk + ";", "campaign=" + Escape.text(bulk.campaign()))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The field of a mail of which some was not read, because there is too much of it.
   *
   * @param id of the message
   */
  public static byte[] partlyRead(String id) {
    return ours("content=partly-read;", "id=" + Escape.text(id))
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * One field for each refusal that the message quotes.
   *
   * @param ids of incidents
   */
  public static byte[] incidents(List<String> ids) {
    return ids.stream()
        .map(id -> folded("X-Bloomgate-Incident:", List.of(Escape.text(id))))
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String verdict(String first, Finding finding) {
    return ours(
        first,
        "kind=" + Escape.text(finding.kind()) + ";",
        "subject=" + Escape.text(finding.subject(), MAX_SUBJECT_CHARS) + ";",
        "feed=" + Escape.text(finding.feed()) + ";",
        "id=" + Escape.text(finding.id()));
  }

  /** Two parts of a message, one after the other. */
  public static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static String ours(String... words) {
    return folded("X-Bloomgate:", List.of(words));
  }

  /**
   * A field with its CRLF, folded (RFC 5322 section 2.2.3) so that unfolding gives the words with
   * one space between them.
   *
   * @param name with its colon
   */
  private static String folded(String name, List<String> words) {
    StringBuilder text = new StringBuilder(256).append(name);
    int lineStart = 0;
    for (String word : words) {
      if (text.length() - lineStart + 1 + word.length() > GOOD_LINE_CHARS) {
        text.append("\r\n");
        lineStart = text.length();
      }
      text.append(' ').append(word);
    }
    return text.append("\r\n").toString();
  }

  /** A name or an address literal; anything else would be a second word, or open a comment. */
  private static String helo(String helo) {
    if (helo.isEmpty()) {
      return "unknown";
    }
    if (helo.startsWith("[") && helo.endsWith("]") && helo.length() > 2) {
      return "[" + Escape.word(helo.substring(1, helo.length() - 1), MAX_NAME_CHARS) + "]";
    }
    return Escape.word(helo, MAX_NAME_CHARS);
  }

  private static String literal(IpAddress address) {
    // RFC 5321 section 4.1.3.
    return address.isV4() ? address.toString() : "IPv6:" + address;
  }

  /** RFC 6531 section 3.7.3 allows UTF-8 here only in internationalised mail. */
  private static boolean isWritable(String path, String protocol) {
    boolean utf8 = protocol.startsWith(UTF8);
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c < ' ' || c == 0x7f || (c > 0x7f && !utf8)) {
        return false;
      }
    }
    return path.length() <= MAX_PATH_CHARS;
  }

  /** RFC 5322 section 3.3, in UTC; written by hand because a formatter costs more than the rest. */
  private static String date(Instant time) {
    OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
    String day = DAYS[utc.getDayOfWeek().getValue() - 1] + ", " + utc.getDayOfMonth();
    String month = MONTHS[utc.getMonthValue() - 1] + " " + utc.getYear();
    return day
        + " "
        + month
        + two(" ", utc.getHour())
        + two(":", utc.getMinute())
        + two(":", utc.getSecond())
        + " +0000";
  }

  private static String two(String before, int number) {
    return (number < 10 ? before + "0" : before) + number;
  }
}
