package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Suggestion;
import java.util.Collection;
import java.util.Optional;

/**
 * The answer about a name of the settings that is no feed that can be fetched: given by commands
 * that need a feed, of gateway and command line. Immutable.
 */
public record NoFeed(String problem, String hint) {

  /** Says what the name is; empty for a feed, and for a name that the settings do not know. */
  public static Optional<NoFeed> of(Settings settings, String name) {
    if (settings.feeds().dnsLists().containsKey(name)) {
      return Optional.of(
          new NoFeed(
              name
                  + " is asked by DNS; there is nothing to fetch, to compare, to accept or to roll"
                  + " back",
              "`bloomgate feeds refresh "
                  + name
                  + "` tests it, `bloomgate feeds show "
                  + name
                  + "` shows its state"));
    }
    if (settings.feeds().sources().containsKey(name)) {
      return Optional.empty();
    }
    Rule rule = settings.rules().get(name);
    if (rule != null) {
      return Optional.of(rule(rule));
    }
    return Sign.named(name).map(sign -> sign(settings, sign));
  }

  /** The question that follows an unknown name: {@code ; did you mean `drop`?}, or nothing. */
  public static String meant(Settings settings, String name) {
    return meant(name, settings.feeds().names());
  }

  /** The same among these names. */
  public static String meant(String name, Collection<String> known) {
    return Suggestion.closest(name, known).map(near -> "; did you mean `" + near + "`?").orElse("");
  }

  private static NoFeed rule(Rule rule) {
    return new NoFeed(
        "%s is a rule, not a feed: rules.%s of the settings has the action %s when %s of %s list a"
                .formatted(
                    rule.name(),
                    rule.name(),
                    rule.action().key(),
                    rule.all() ? "all" : "any " + rule.needed(),
                    String.join(", ", rule.of()))
            + " client or its mail",
        "`bloomgate feeds show` shows one of these lists");
  }

  private static NoFeed sign(Settings settings, Sign sign) {
    Action action = settings.signs().get(sign);
    return new NoFeed(
        sign.key()
            + " is a sign, not a feed: it is what a client shows of itself, and "
            + (action == null
                ? "the settings do not name it"
                : "signs." + sign.key() + " of the settings has the action " + action.key()),
        action == null
            ? "write signs: {" + sign.key() + ": {action: observe}}"
            : "`bloomgate explain IP` shows whether a client has it");
  }
}
