package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.entry.ListKey;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Check;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an operator list. Immutable.
 *
 * @param id short and stable, as {@code allow list} shows it
 * @param from for names: holds only for clients inside this network
 * @param scope the checks that the entry acts on; empty means those that its subject's kind stands
 *     for
 * @param anyScope pardons everything on the name alone ({@code --scope any --force})
 * @param author Unix user of the command, or {@code file:PATH:LINE}
 * @param expires {@code null} for ever
 */
public record OperatorEntry(
    String id,
    ListKind list,
    Subject subject,
    @Nullable IpPrefix from,
    Set<Check> scope,
    boolean anyScope,
    String reason,
    String author,
    Instant created,
    @Nullable Instant expires) {

  public OperatorEntry {
    scope = Set.copyOf(scope);
  }

  /** Which of the two lists. */
  public enum ListKind {
    ALLOW,
    BLOCK
  }

  /** What an entry speaks of. */
  public sealed interface Subject {
    /** True when an entry of this subject speaks of the key. */
    boolean covers(ListKey key);

    /** A host or a network. */
    record Network(IpPrefix prefix) implements Subject {
      @Override
      public boolean covers(ListKey key) {
        return key instanceof ListKey.Ip(IpAddress address) && prefix.contains(address);
      }

      @Override
      public String toString() {
        return prefix.toString();
      }
    }

    /** A domain and everything below it. */
    record Domain(DomainName name) implements Subject {
      @Override
      public boolean covers(ListKey key) {
        return key instanceof ListKey.Domain(DomainName asked) && name.covers(asked);
      }

      @Override
      public String toString() {
        return name.toString();
      }
    }

    /** One mail address. */
    record Address(MailAddress address) implements Subject {
      @Override
      public boolean covers(ListKey key) {
        return key instanceof ListKey.Address(MailAddress asked) && address.equals(asked);
      }

      @Override
      public String toString() {
        return address.toString();
      }
    }
  }

  /** True when the entry no longer counts at this time. */
  public boolean expiredAt(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
