package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;

/**
 * Reads what a person types as the subject of a command: IP, CIDR, domain or mail address. Pure;
 * called by the control server, by {@link OperatorText} and by {@code explain}, on any thread.
 */
public final class SubjectText {

  private SubjectText() {}

  /** The subject, or the reason why the text is none; the shape of the text decides its kind. */
  public static Parsed<Subject> parse(String text) {
    if (text.indexOf('@') >= 0) {
      return subject(MailAddress.parse(text));
    }
    if (looksLikeNetwork(text)) {
      return subject(IpPrefix.parse(text));
    }
    return subject(DomainName.parse(text));
  }

  /** No domain holds a colon or a slash, and none ends in a numeric label. */
  private static boolean looksLikeNetwork(String text) {
    if (text.indexOf(':') >= 0 || text.indexOf('/') >= 0) {
      return true;
    }
    int end = text.endsWith(".") ? text.length() - 1 : text.length();
    int label = text.lastIndexOf('.', end - 1) + 1;
    return label < end && text.substring(label, end).chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static <T extends Subject> Parsed<Subject> subject(Parsed<T> parsed) {
    return switch (parsed) {
      case Parsed.Ok<T>(T value, var warning) -> new Parsed.Ok<>(value, warning);
      case Parsed.Bad<T>(String reason) -> new Parsed.Bad<>(reason);
    };
  }
}
