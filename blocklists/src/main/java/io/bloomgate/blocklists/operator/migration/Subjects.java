package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.operator.SubjectText;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import org.jspecify.annotations.Nullable;

/** Reads the subject of a foreign line and checks that its kind of map can hold it. Pure. */
final class Subjects {

  private Subjects() {}

  /** The subject, or why an operator entry cannot mean the same. */
  static Parsed<Subject> parse(@Nullable Kind kind, String written) {
    return switch (SubjectText.parse(written)) {
      case Parsed.Bad<Subject> bad -> bad;
      case Parsed.Ok<Subject> ok -> fitting(kind, ok);
    };
  }

  private static Parsed<Subject> fitting(@Nullable Kind kind, Parsed.Ok<Subject> parsed) {
    boolean network = parsed.value() instanceof IpPrefix;
    return switch (kind) {
      case null -> parsed;
      case CLIENT ->
          network
              ? parsed
              : Parsed.bad("a client is known by its address; its name would need DNS");
      case HELO ->
          parsed.value() instanceof MailAddress
              ? Parsed.bad("a mail address is no HELO name")
              : parsed;
      case SENDER -> network ? Parsed.bad("a network is no sender") : parsed;
    };
  }
}
