package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which of two entries that cover the same key says it more narrowly (contract, section 3, operator
 * allow against operator block). Narrower first. Pure.
 *
 * <p>Networks: the longer prefix. Names: an address before a domain, a domain of more labels before
 * one of fewer. Of the same subject, one with {@code from} before one without, a longer one first.
 */
public final class Narrowness implements Comparator<OperatorEntry> {

  /** The one instance. */
  public static final Narrowness NARROWER_FIRST = new Narrowness();

  /** Above the labels that any domain has: 253 octets hold at most 127. */
  private static final int ADDRESS = 1_000;

  private Narrowness() {}

  @Override
  public int compare(OperatorEntry a, OperatorEntry b) {
    int bySubject = Integer.compare(depth(b.subject()), depth(a.subject()));
    return bySubject != 0 ? bySubject : Integer.compare(depth(b.from()), depth(a.from()));
  }

  /** True when the entry is as narrow as the other or narrower. */
  public static boolean atLeastAsNarrow(OperatorEntry entry, OperatorEntry other) {
    return NARROWER_FIRST.compare(entry, other) <= 0;
  }

  private static int depth(Subject subject) {
    return switch (subject) {
      case IpPrefix prefix -> prefix.length();
      case DomainName domain -> domain.labels();
      case MailAddress ignored -> ADDRESS;
    };
  }

  private static int depth(@Nullable IpPrefix from) {
    return from == null ? -1 : from.length();
  }
}
