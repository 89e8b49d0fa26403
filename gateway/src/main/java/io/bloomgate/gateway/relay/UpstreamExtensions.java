package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The extensions that the mail server offered in its last EHLO; they decide what may be sent to it.
 * Immutable.
 *
 * @param sizeOctets limit of RFC 1870; 0 for no fixed limit, -1 when SIZE is not offered
 * @param xclientAttributes names behind XCLIENT, empty when not offered
 * @param xforwardAttributes names behind XFORWARD, empty when not offered
 */
public record UpstreamExtensions(
    boolean pipelining,
    boolean eightBitMime,
    boolean smtpUtf8,
    boolean dsn,
    boolean startTls,
    long sizeOctets,
    Set<String> xclientAttributes,
    Set<String> xforwardAttributes) {

  /** Nothing offered: before the first probe, or a mail server of RFC 821. */
  public static final UpstreamExtensions NONE =
      new UpstreamExtensions(false, false, false, false, false, -1, Set.of(), Set.of());

  public UpstreamExtensions {
    xclientAttributes = Set.copyOf(xclientAttributes);
    xforwardAttributes = Set.copyOf(xforwardAttributes);
  }

  /** Returns what both offer; the smaller size counts. */
  UpstreamExtensions and(UpstreamExtensions other) {
    return new UpstreamExtensions(
        pipelining && other.pipelining,
        eightBitMime && other.eightBitMime,
        smtpUtf8 && other.smtpUtf8,
        dsn && other.dsn,
        startTls && other.startTls,
        smaller(sizeOctets, other.sizeOctets),
        Set.of(),
        Set.of());
  }

  /** The reply for what MAIL uses and this server does not offer; {@code null} for none. */
  public @Nullable Reply lacking(MailCommand mail) {
    if (mail.smtpUtf8() && !smtpUtf8) {
      return Replies.UPSTREAM_LACKS_SMTPUTF8;
    }
    if (mail.body() == MailCommand.Body.EIGHT_BIT_MIME && !eightBitMime) {
      return Replies.UPSTREAM_LACKS_8BITMIME;
    }
    return mail.usesDsn() && !dsn ? Replies.UPSTREAM_LACKS_DSN : null;
  }

  /** The same for RCPT. */
  public @Nullable Reply lacking(RcptCommand rcpt) {
    return rcpt.usesDsn() && !dsn ? Replies.UPSTREAM_LACKS_DSN : null;
  }

  /** The smaller of our size limit and that of the mail server, in octets. */
  public long sizeLimit(long ours) {
    return sizeOctets > 0 ? Math.min(ours, sizeOctets) : ours;
  }

  /** MAIL, without parameters that are not offered (RFC 5321 section 4.1.1.11). */
  String line(MailCommand mail) {
    StringBuilder line = new StringBuilder("MAIL FROM:<");
    line.append(path(mail.from())).append('>');
    if (sizeOctets >= 0 && mail.sizeOctets() >= 0) {
      line.append(" SIZE=").append(mail.sizeOctets());
    }
    MailCommand.Body body = mail.body();
    if (eightBitMime && body != null) {
      line.append(" BODY=").append(body.keyword());
    }
    if (smtpUtf8 && mail.smtpUtf8()) {
      line.append(" SMTPUTF8");
    }
    appendDsn(line, " RET=", mail.ret());
    appendDsn(line, " ENVID=", mail.envid());
    return line.toString();
  }

  /** RCPT, without parameters that are not offered. */
  String line(RcptCommand rcpt) {
    StringBuilder line = new StringBuilder("RCPT TO:<");
    line.append(path(rcpt.to())).append('>');
    appendDsn(line, " NOTIFY=", rcpt.notifyOn());
    appendDsn(line, " ORCPT=", rcpt.orcpt());
    return line.toString();
  }

  private void appendDsn(StringBuilder line, String name, @Nullable String value) {
    if (dsn && value != null) {
      if (value.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("space in a DSN parameter");
      }
      line.append(name).append(value);
    }
  }

  /**
   * A bare bracket outside quotes would end the path early and begin a parameter; a line end would
   * begin a command.
   */
  private static String path(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == 0x7f) {
        throw new IllegalArgumentException("control character in a path");
      } else if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && (c == '<' || c == '>' || c == ' ')) {
        throw new IllegalArgumentException("unquoted \"" + c + "\" in a path");
      }
    }
    return text;
  }

  /** Returns the smaller limit; where one names no limit, the other's counts. */
  private static long smaller(long one, long other) {
    return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
  }

  /**
   * Reads the reply to EHLO (RFC 5321 section 4.1.1.1). Unknown and malformed lines are ignored.
   *
   * @param lines the texts behind the reply codes, the first being the greeting
   */
  static UpstreamExtensions parse(List<String> lines) {
    Set<String> keywords = new HashSet<>();
    long size = -1;
    Set<String> xclient = Set.of();
    Set<String> xforward = Set.of();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      String[] words = line.strip().toUpperCase(Locale.ROOT).split("[ \\t]+", -1);
      switch (words[0]) {
        case "SIZE" -> size = parseSize(words);
        case "XCLIENT" -> xclient = arguments(words);
        case "XFORWARD" -> xforward = arguments(words);
        default -> keywords.add(words[0]);
      }
    }
    return new UpstreamExtensions(
        keywords.contains("PIPELINING"),
        keywords.contains("8BITMIME"),
        keywords.contains("SMTPUTF8"),
        keywords.contains("DSN"),
        keywords.contains("STARTTLS"),
        size,
        xclient,
        xforward);
  }

  /** RFC 1870 section 4: no number or zero means no fixed limit; so does what is not a number. */
  private static long parseSize(String[] words) {
    if (words.length < 2 || !words[1].matches("[0-9]{1,18}")) {
      return 0;
    }
    return Long.parseLong(words[1]);
  }

  private static Set<String> arguments(String[] words) {
    return new HashSet<>(List.of(words).subList(1, words.length));
  }
}
