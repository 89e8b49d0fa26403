package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.Subject;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import java.util.function.Function;

/**
 * Reads what a person types as the subject of a command: IP, CIDR, domain or mail address. Pure;
 * called by the control server, by {@link OperatorText} and by {@code explain}, on any thread.
 */
public final class SubjectText {

  private SubjectText() {}

  /** The subject, or the reason why the text is none; the shape of the text decides its kind. */
  public static Parsed<Subject> parse(String text) {
    if (text.indexOf('@') >= 0) {
      return map(MailAddress.parse(text), Subject.Address::new);
    }
    if (looksLikeNetwork(text)) {
      return map(IpPrefix.parse(text), Subject.Network::new);
    }
    return map(DomainName.parse(text), Subject.Domain::new);
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

  private static <T> Parsed<Subject> map(Parsed<T> parsed, Function<T, Subject> subject) {
    return switch (parsed) {
      case Parsed.Ok<T>(T value, var warning) -> new Parsed.Ok<>(subject.apply(value), warning);
      case Parsed.Bad<T>(String reason) -> new Parsed.Bad<>(reason);
    };
  }
}
