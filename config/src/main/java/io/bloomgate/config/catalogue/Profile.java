package io.bloomgate.config.catalogue;

import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A profile of the first settings of a gateway, by how much it catches: the lists of the {@link
 * Catalogue} that {@code init --profile} writes, with which action, and the rules over them. What
 * each catches, and what it hits wrongly, is measured by {@code integration-tests/bench/catch.sh};
 * the figures are in integration-tests/bench/README.md. In all of them only lists with a clean
 * record refuse alone. Pure; immutable.
 */
public enum Profile implements Keyed {
  /** The lists that refuse alone, and nothing else. */
  CAREFUL(0),

  /** Weak lists too, of traps as well: three that agree refuse. */
  BALANCED(3),

  /** Two that agree refuse, and the domain lists tag. */
  STRICT(2);

  /** A feed or DNS list of the catalogue, with the action that the profile gives it. */
  private record Chosen(String name, Action action) {}

  /** Lists with many addresses that hit traps or attack, which must not refuse alone. */
  private static final List<String> WEAK =
      List.of(
          "psbl",
          "uceprotect-1",
          "blocklist-de-all",
          "ipsum-3",
          "cins-army",
          "greensnow",
          "shadowwhisperer",
          "tor-exits");

  private static final String RULES_HEAD =
      """
      # Lists that are too weak to refuse mail alone. config/handbook/lists.md has what these rules do.
      """;

  /** The number of weak lists that must agree before mail is refused; 0 for never. */
  private final int agree;

  Profile(int agree) {
    this.agree = agree;
  }

  /** The words about its lists. */
  String head() {
    return agree == 0 ? "those with few false positives" : "the profile " + key();
  }

  /**
   * The lists that it writes.
   *
   * @param withKey true when there is a key of Spamhaus
   */
  public List<CatalogueEntry> lists(boolean withKey) {
    Catalogue catalogue = Catalogue.builtIn();
    return chosen(withKey).stream()
        .map(chosen -> catalogue.entry(chosen.name()).orElseThrow())
        .toList();
  }

  /**
   * The lines under {@code feeds.sources}.
   *
   * @param dqsKeyFile holds a key of Spamhaus; {@code null} for none
   */
  String sources(@Nullable Path dqsKeyFile) {
    Catalogue catalogue = Catalogue.builtIn();
    List<String> sources = new ArrayList<>();
    for (Chosen chosen : chosen(dqsKeyFile != null)) {
      CatalogueEntry entry = catalogue.entry(chosen.name()).orElseThrow();
      String action = chosen.action().key();
      sources.add(
          entry.yaml(
              dqsKeyFile == null
                  ? Map.of("action", action)
                  : Map.of(
                      "action", action, "key_file", SettingsText.scalar(dqsKeyFile.toString()))));
    }
    return String.join("\n", sources);
  }

  /** The section {@code rules}; empty when it has none. */
  String rules(boolean withKey) {
    if (agree == 0) {
      return "";
    }
    List<String> weak = weak(withKey);
    return RULES_HEAD
        + "rules:\n"
        + rule("weak-lists-agree", agree, weak, Action.REJECT)
        + rule("weak-list", 1, weak, Action.GREYLIST);
  }

  private static String rule(String name, int any, List<String> of, Action action) {
    return ("  " + name + ":\n    any: " + any + "\n    of: " + SettingsText.list(of) + "\n")
        + ("    action: " + action.key() + "\n");
  }

  private List<Chosen> chosen(boolean withKey) {
    List<Chosen> chosen = new ArrayList<>();
    for (CatalogueEntry feed : Catalogue.builtIn().feeds()) {
      if (feed.recommended()) {
        chosen.add(new Chosen(feed.name(), feed.action()));
      }
    }
    if (agree > 0) {
      WEAK.forEach(name -> chosen.add(new Chosen(name, Action.OBSERVE)));
      chosen.add(new Chosen("disposable-email-domains", Action.TAG));
    }
    if (this == STRICT) {
      chosen.add(new Chosen("spam404", Action.TAG));
      chosen.add(new Chosen("hagezi-fake", Action.TAG));
    }
    if (withKey) {
      chosen.addAll(withKey());
    }
    return chosen;
  }

  /** The lists that come with a key of Spamhaus. */
  private List<Chosen> withKey() {
    List<Chosen> chosen = new ArrayList<>();
    chosen.add(new Chosen("spamhaus-zen", Action.REJECT));
    chosen.add(new Chosen("spamhaus-pbl", Action.TAG));
    chosen.add(new Chosen("spamhaus-dbl", this == STRICT ? Action.REJECT : Action.TAG));
    if (agree > 0) {
      chosen.add(new Chosen("spamhaus-dbl-content", this == STRICT ? Action.REJECT : Action.TAG));
      chosen.add(new Chosen("spamhaus-zrd", Action.TAG));
    }
    return chosen;
  }

  /** A DNS list that refuses alone adds nothing to a rule. */
  private List<String> weak(boolean withKey) {
    List<String> weak = new ArrayList<>(WEAK);
    if (withKey) {
      withKey().stream()
          .filter(chosen -> chosen.action() != Action.REJECT)
          .map(Chosen::name)
          .forEach(weak::add);
    }
    return weak;
  }
}
