package io.bloomgate.config.settings;

import io.bloomgate.config.name.Parsed;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The verdicts that some recipients get: a section of {@code profiles}, or one of those that are
 * built in. Made with the settings; read by decisions on any thread. Immutable.
 *
 * @param most the strongest action of what is known before the content
 * @param mostOfContent the strongest action of what a mail carries; {@code OBSERVE}: it is not read
 * @param greylist false: what would greylist does nothing
 * @param actions other actions of lists, signs and rules, by name; empty: it does not count
 */
public record RecipientProfile(
    String name,
    Action most,
    Action mostOfContent,
    boolean greylist,
    Map<String, Optional<Action>> actions) {

  /** No recipient has less than the settings say, and none has more. */
  public static final RecipientProfile DEFAULT =
      new RecipientProfile("default", Action.REJECT, Action.REJECT, true, Map.of());

  /** Nothing is refused or tagged. */
  public static final RecipientProfile OFF =
      new RecipientProfile("off", Action.OBSERVE, Action.OBSERVE, true, Map.of());

  /**
   * The profile of {@code policy.exempt_recipients}: content may tag, and a block of the client by
   * the operator refuses.
   */
  public static final RecipientProfile EXEMPT =
      new RecipientProfile("exempt", Action.OBSERVE, Action.TAG, true, Map.of());

  /** The profile of an address that nobody uses: nothing is refused, and what comes is noted. */
  public static final RecipientProfile TRAP =
      new RecipientProfile("trap", Action.OBSERVE, Action.OBSERVE, true, Map.of());

  public RecipientProfile {
    actions = Map.copyOf(actions);
  }

  /** True for the profile of recipients to whom people write who are listed by mistake. */
  public boolean isExempt() {
    return equals(EXEMPT);
  }

  /** True for the profile of traps. */
  public boolean isTrap() {
    return equals(TRAP);
  }

  /** True when nothing of the envelope refuses, so that rates do not count its mail. */
  public boolean isSpared() {
    return most == Action.OBSERVE;
  }

  /** The action of a list, sign or rule; empty when it does not count. */
  public Optional<Action> action(String name, Action usual) {
    return actions.getOrDefault(name, Optional.of(usual));
  }

  /**
   * Weakens the action of something that a mail carries; nobody can be asked to come again with the
   * same content.
   */
  public Action ofContent(Action asked) {
    return asked == Action.GREYLIST ? Action.OBSERVE : asked.atMost(mostOfContent);
  }

  /** Reads an entry of {@code recipients}: address, {@code local@}, domain or {@code .domain}. */
  public static Parsed<String> entry(String text) {
    try {
      return Parsed.ok(ProfilesBinder.recipient(text));
    } catch (BadValueException e) {
      return Parsed.bad(e.problem() + "; " + e.hint());
    }
  }

  /** True when mail for this entry of {@code recipients} is not refused as relaying. */
  public static boolean isOurs(String entry, Settings settings) {
    return ProfilesBinder.isOurs(entry, OwnDomains.of(settings.domains()), settings);
  }

  /** The entries of {@code recipients} that exempt these local parts. */
  public static Map<String, RecipientProfile> exempt(Collection<String> localParts) {
    Map<String, RecipientProfile> entries = new LinkedHashMap<>();
    localParts.forEach(local -> entries.put(local + "@", EXEMPT));
    return entries;
  }
}
