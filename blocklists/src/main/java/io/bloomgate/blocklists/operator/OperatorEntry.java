package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Subject;
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

  /** True when the entry no longer counts at this time. */
  public boolean expiredAt(Instant now) {
    return expires != null && !now.isBefore(expires);
  }
}
