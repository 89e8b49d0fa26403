package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a decision, strongest first, so that the log and {@code explain} can show all of
 * them. Immutable.
 *
 * @param generation of the snapshot that was asked
 * @param standing grounds that still count, the one that decides first
 * @param pardoned grounds that something lifted
 * @param falsePositives filter hits that the exact index did not confirm
 * @param waiver a rule because of which some of it does not count
 * @param profile of the recipient; {@code null} when it has none, and where the settings exempt it
 */
public record Grounds(
    long generation,
    List<Ground> standing,
    List<Pardoned> pardoned,
    List<FilterHit> falsePositives,
    @Nullable Waiver waiver,
    @Nullable Profile profile) {

  public Grounds {
    standing = List.copyOf(standing);
    pardoned = List.copyOf(pardoned);
    falsePositives = List.copyOf(falsePositives);
  }

  /** The findings about a recipient without a profile. */
  public Grounds(
      long generation,
      List<Ground> standing,
      List<Pardoned> pardoned,
      List<FilterHit> falsePositives,
      @Nullable Waiver waiver) {
    this(generation, standing, pardoned, falsePositives, waiver, null);
  }

  /** The evidence of a decision that found nothing. */
  static Grounds clean(long generation) {
    return new Grounds(generation, List.of(), List.of(), List.of(), null);
  }

  /** True when something was found that counts, or that something lifted. */
  public boolean foundAny() {
    return !standing.isEmpty() || !pardoned.isEmpty();
  }

  /** True when the client is refused, and only this recipient is exempt. */
  public boolean refusedButForRecipient() {
    return waiver == Waiver.EXEMPT_RECIPIENT
        && pardoned.stream()
            .filter(lifted -> lifted.pardon().equals(new Pardon.Waived(Waiver.EXEMPT_RECIPIENT)))
            .anyMatch(lifted ->
                lifted.ground() instanceof Ground.Found exact
                    && exact.action().compareTo(Action.GREYLIST) > 0);
  }

  /** Gives the operator's entries that lifted something, and those that refuse. */
  public void forEachUsed(Consumer<OperatorEntry> taker) {
    for (Pardoned lifted : pardoned) {
      if (lifted.pardon() instanceof Pardon.Allowed(OperatorEntry entry)) {
        taker.accept(entry);
      }
    }
    for (Ground ground : standing) {
      if (ground instanceof Ground.Blocked blocked) {
        taker.accept(blocked.block());
      }
    }
  }

  /** True when the content of the mail is listed, whether the listing counts or not. */
  public boolean isOfContent() {
    return standing.stream().anyMatch(Ground::isOfContent)
        || pardoned.stream().anyMatch(lifted -> lifted.ground().isOfContent());
  }

  /**
   * A profile.
   *
   * @param entry because of which the recipient has it
   * @param byCommand the same by command; {@code null} for one of the settings
   */
  public record Profile(String name, String entry, @Nullable RecipientEntry byCommand) {

    /** A profile by a line of the settings. */
    public Profile(String name, String entry) {
      this(name, entry, null);
    }

    /**
     * The profile and why it applies, for people: {@code tag-only (sales@example.com)}, and of an
     * entry by command who gave it, when, why and how it is taken back.
     */
    public String words() {
      if (byCommand == null) {
        return name + " (" + entry + ")";
      }
      String gone =
          byCommand.profile().equals(name)
              ? ""
              : " because profile " + byCommand.profile() + " is not in the settings";
      String why = byCommand.reason().isEmpty() ? "" : " (" + byCommand.reason() + ")";
      return "%s (%s, %s)%s, set by %s at %s%s; `bloomgate recipient remove %3$s` takes it away"
          .formatted(
              name,
              entry,
              byCommand.id(),
              gone,
              byCommand.author(),
              byCommand.created().truncatedTo(ChronoUnit.SECONDS),
              why);
    }
  }

  /** A ground that does not count, and why. */
  public record Pardoned(Ground ground, Pardon pardon) {}

  /** The reason why a ground does not count. */
  public sealed interface Pardon {
    /** An operator's allow entry. */
    record Allowed(OperatorEntry entry) implements Pardon {}

    /** A protected set of {@code allow.never_block}; {@code set} is its name in the settings. */
    record NeverBlocked(String set) implements Pardon {}

    /** Mail of this sender was accepted from the same network before; only for rules. */
    record KnownSender() implements Pardon {}

    /** The network is exempt, or the profile of the recipient leaves nothing of it. */
    record Waived(Waiver waiver) implements Pardon {}
  }

  /** A filter hit without a listing. */
  public record FilterHit(Check check, String filter) {}

  /** Rules by which feeds do not count for a recipient or a client. */
  public enum Waiver {
    EXEMPT_RECIPIENT("the recipient is exempt (policy.exempt_recipients)"),
    EXEMPT_NETWORK("the client is exempt (policy.exempt_networks)"),
    PROFILE("the profile of the recipient spares it (recipients)");

    private final String words;

    Waiver(String words) {
      this.words = words;
    }

    /** The rule in words, for people. */
    public String words() {
      return words;
    }
  }
}
