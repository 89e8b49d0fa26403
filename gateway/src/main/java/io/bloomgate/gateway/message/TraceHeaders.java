package io.bloomgate.gateway.message;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.Escape;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields that are put above a relayed message. Pure; called by sessions once a message.
 */
public final class TraceHeaders {

  private static final int MAX_NAME_CHARS = 255;
  private static final int MAX_SUBJECT_CHARS = 320;
  // RFC 5321 section 4.5.3.1.3 has 256; beyond, the clause is left out rather than cut.
  private static final int MAX_PATH_CHARS = 512;

  private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] MONTHS = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };

  private TraceHeaders() {}

  /**
   * The protocol by which the message came in: the words after {@code with} (RFC 3848, RFC 6531
   * section 4.3).
   */
  public enum Protocol {
    SMTP,
    ESMTP,
    ESMTPS,
    UTF8SMTP,
    UTF8SMTPS;

    /**
     * The keyword for a session.
     *
     * @param extended EHLO was sent
     * @param utf8 MAIL had SMTPUTF8
     */
    public static Protocol of(boolean extended, boolean encrypted, boolean utf8) {
      if (utf8) {
        return encrypted ? UTF8SMTPS : UTF8SMTP;
      }
      return encrypted ? ESMTPS : extended ? ESMTP : SMTP;
    }
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
   * @param id incident id
   * @param onlyRecipient the recipient's path as it came, {@code null} unless there is exactly one:
   *     more would betray blind copies (RFC 5321 section 7.6)
   */
  public static byte[] received(
      String helo,
      IpAddress client,
      String hostName,
      Protocol protocol,
      String id,
      @Nullable String onlyRecipient,
      Instant time) {
    FoldedField field =
        new FoldedField("Received:")
            .add("from")
            .add(helo(helo))
            .add("(unknown")
            .add("[" + literal(client) + "])")
            .add("by")
            .add(Escape.text(hostName, MAX_NAME_CHARS))
            .add("(bloomgate)")
            .add("with")
            .add(protocol.name())
            .add("id");
    if (onlyRecipient != null && isWritable(onlyRecipient, protocol)) {
      field.add(Escape.text(id)).add("for").add("<" + onlyRecipient + ">;");
    } else {
      field.add(Escape.text(id) + ";");
    }
    addDate(field, time);
    return field.octets();
  }

  /** The three fields of action tag. */
  public static byte[] tagged(Finding finding) {
    String text =
        "X-Spam-Flag: YES\r\n"
            + new FoldedField("X-Spam-Status:")
                .add("Yes,")
                .add("listed=" + Escape.text(finding.feed()))
                .add("action=tag")
                .add("id=" + Escape.text(finding.id()))
                .text()
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
    return new FoldedField("X-Bloomgate:")
        .add("bulk=" + bulk + ";")
        .add("campaign=" + Escape.text(bulk.campaign()))
        .octets();
  }

  /**
   * The field of a mail of which some was not read, because there is too much of it.
   *
   * @param id of the message
   */
  public static byte[] partlyRead(String id) {
    return new FoldedField("X-Bloomgate:")
        .add("content=partly-read;")
        .add("id=" + Escape.text(id))
        .octets();
  }

  /**
   * One field for each refusal that the message quotes.
   *
   * @param ids of incidents
   */
  public static byte[] incidents(List<String> ids) {
    StringBuilder fields = new StringBuilder();
    ids.forEach(
        id -> fields.append(new FoldedField("X-Bloomgate-Incident:").add(Escape.text(id)).text()));
    return fields.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String verdict(String first, Finding finding) {
    return new FoldedField("X-Bloomgate:")
        .add(first)
        .add("kind=" + Escape.text(finding.kind()) + ";")
        .add("subject=" + Escape.text(finding.subject(), MAX_SUBJECT_CHARS) + ";")
        .add("feed=" + Escape.text(finding.feed()) + ";")
        .add("id=" + Escape.text(finding.id()))
        .text();
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
  private static boolean isWritable(String path, Protocol protocol) {
    boolean utf8 = protocol == Protocol.UTF8SMTP || protocol == Protocol.UTF8SMTPS;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c < ' ' || c == 0x7f || (c > 0x7f && !utf8)) {
        return false;
      }
    }
    return path.length() <= MAX_PATH_CHARS;
  }

  /** RFC 5322 section 3.3, in UTC; written by hand because a formatter costs more than the rest. */
  private static void addDate(FoldedField field, Instant time) {
    OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
    field
        .add(DAYS[utc.getDayOfWeek().getValue() - 1] + ",")
        .add(Integer.toString(utc.getDayOfMonth()))
        .add(MONTHS[utc.getMonthValue() - 1])
        .add(Integer.toString(utc.getYear()))
        .add(two(utc.getHour()) + ":" + two(utc.getMinute()) + ":" + two(utc.getSecond()))
        .add("+0000");
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }
}
