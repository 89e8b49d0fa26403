package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A well-formed reply as the mail server sent it (RFC 5321 section 4.2), and what the client gets
 * of it: a refusal of mail is passed on with its text; a reply that only shows that the server is
 * in trouble becomes 451, because the client must try again, and must get neither 250 nor 5xx.
 *
 * <p>Immutable; made by {@link ReplyReader}, used by {@link UpstreamDialog} and {@link
 * UpstreamHandshake}.
 *
 * @param code three digits, the same on every line
 * @param lines the text behind code and separator, undecodable octets replaced; neither checked nor
 *     bounded; at least one
 */
record RawReply(int code, List<String> lines) {

  /** Lines that a client is shown. */
  static final int MAX_LINES = 20;

  private static final int EXCERPT_CHARS = 200;

  /** Limit of a subject or a detail, RFC 3463 section 2. */
  private static final int MAX_DIGITS = 3;

  RawReply {
    lines = List.copyOf(lines);
  }

  /** A command whose refusal concerns mail, and so the client. */
  enum Step {
    MAIL,
    RCPT,
    DATA,
    FINAL_DOT
  }

  /** Returns the name of a command for logs. */
  static String text(Step step) {
    return step == Step.FINAL_DOT ? "the final dot" : step.name();
  }

  private boolean isYes(Step step) {
    return switch (step) {
      case MAIL, FINAL_DOT -> code == 250;
      // RFC 5321 section 3.4: 251 forwards, 252 cannot verify but takes it.
      case RCPT -> code == 250 || code == 251 || code == 252;
      case DATA -> code == 354;
    };
  }

  /**
   * The reply as the client may see it.
   *
   * @throws UpstreamException when it is not about the mail: the session is over
   */
  Reply forClient(Step step) throws UpstreamException {
    if (!isYes(step) && !isAboutMail(step)) {
      throw unusable(step);
    }
    return readable();
  }

  /** The reply as a refusal of the message before its final dot, if it is one. */
  Optional<Reply> earlyRefusal() {
    return isAboutMail(Step.FINAL_DOT) ? Optional.of(readable()) : Optional.empty();
  }

  /**
   * 421 means that the server closes the connection, 530 to 538 that it wants TLS or AUTH from us
   * (RFC 4954, RFC 3207): both are not about the client. 500 and 502 to 504 mean at MAIL that the
   * server does not know our command; from RCPT on, servers use them for a path, a line or a
   * content that they refuse.
   */
  private boolean isAboutMail(Step step) {
    boolean notUnderstood = code == 500 || (code >= 502 && code <= 504);
    boolean ourProblem =
        code == 421 || (code >= 530 && code <= 538) || (notUnderstood && step == Step.MAIL);
    return code >= 400 && code <= 599 && !ourProblem;
  }

  private UpstreamException unusable(Step step) {
    String text = "mail server answered " + text(step) + " with " + forLog();
    if (code == 421) {
      return UpstreamException.goingAway(text);
    }
    // A wrong positive reply to the final dot may still mean that the server has the message.
    return code < 400 && step == Step.FINAL_DOT
        ? UpstreamException.lost(text)
        : UpstreamException.cannotUse(text);
  }

  /**
   * A refusal of something that the relay itself wanted: 4xx means "not now", other codes need an
   * operator.
   */
  UpstreamException notAboutMail(String what) {
    String text = what + forLog();
    if (code == 421) {
      return UpstreamException.goingAway(text);
    }
    return code / 100 == 4 ? UpstreamException.busy(text) : UpstreamException.cannotUse(text);
  }

  private Reply readable() {
    String enhanced = enhancedCode();
    List<String> texts = new ArrayList<>(Math.min(lines.size(), MAX_LINES));
    for (String line : lines) {
      if (texts.size() == MAX_LINES) {
        break;
      }
      texts.add(fit(line, enhanced));
    }
    return new Reply(code, enhanced, texts);
  }

  /** The code on the first line, when its class is that of the reply; else class.0.0. */
  private String enhancedCode() {
    int replyClass = code / 100;
    if (replyClass == 3) {
      // RFC 2034 section 4 has none for 354.
      return "";
    }
    String line = lines.getFirst();
    int end = codeEnd(line);
    return end > 0 && line.charAt(0) - '0' == replyClass
        ? line.substring(0, end)
        : replyClass + ".0.0";
  }

  /**
   * Finds where the enhanced code at the start of a line ends (RFC 3463 section 2: class "."
   * subject "." detail); 0 when there is none. By hand: each reply of each mail has one.
   */
  private static int codeEnd(String line) {
    if (line.length() < 2 || "245".indexOf(line.charAt(0)) < 0 || line.charAt(1) != '.') {
      return 0;
    }
    int subject = digitsEnd(line, 2);
    if (subject == 2 || subject == line.length() || line.charAt(subject) != '.') {
      return 0;
    }
    int detail = digitsEnd(line, subject + 1);
    boolean ends = detail == line.length() || isBlank(line.charAt(detail));
    return detail > subject + 1 && ends ? detail : 0;
  }

  private static int digitsEnd(String line, int from) {
    int most = Math.min(line.length(), from + MAX_DIGITS);
    int i = from;
    while (i < most && line.charAt(i) >= '0' && line.charAt(i) <= '9') {
      i++;
    }
    return i;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** The text behind its enhanced code, printable, cut to what a line holds. */
  private static String fit(String line, String enhanced) {
    int text = line.startsWith(enhanced) ? codeEnd(line) : 0;
    if (text > 0) {
      while (text < line.length() && isBlank(line.charAt(text))) {
        text++;
      }
    }
    // "550-", the code with its space, the text, CRLF.
    int overhead = 4 + (enhanced.isEmpty() ? 0 : enhanced.length() + 1) + 2;
    return printable(line.substring(text), Reply.MAX_LINE_OCTETS - overhead);
  }

  /** Code and first line for logs: printable, bounded. */
  String forLog() {
    return code + " " + excerpt(lines.getFirst());
  }

  /** Text from outside for a log line: printable ASCII, bounded. */
  static String excerpt(String text) {
    return printable(text, EXCERPT_CHARS);
  }

  private static String printable(String text, int maxChars) {
    int length = Math.min(text.length(), maxChars);
    StringBuilder out = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      out.append(c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : c);
    }
    return out.toString();
  }
}
