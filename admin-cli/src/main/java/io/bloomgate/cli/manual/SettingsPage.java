package io.bloomgate.cli.manual;

import io.bloomgate.config.settings.SettingsManual;
import io.bloomgate.config.settings.SettingsManual.Lines;
import io.bloomgate.config.settings.SettingsManual.Part;
import io.bloomgate.config.settings.SettingsManual.Prose;
import io.bloomgate.config.settings.SettingsManual.Setting;
import java.time.LocalDate;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page {@code bloomgate.yaml(5)}: every key of the settings, in the order of the sample. */
public final class SettingsPage {

  /** The settings without a section of their own. */
  private static final String GENERAL = "General";

  private static final String ABOUT =
      "The settings are one YAML file. Two keys are required: `domains` and `downstream.host`; all"
          + " others have the default that is named here. A key that is unknown, written twice or"
          + " of the wrong kind is a mistake, and with a mistake the gateway does not start; a"
          + " running gateway keeps the settings it has.";

  private static final List<String> NAMES =
      List.of(
          "A key is written here with the sections around it, joined by dots: `limits.hops` is the"
              + " key `hops` below `limits`. NAME, DOMAIN and HEADER are names of your choice.",
          "In the file each section is indented by two more blanks, as the examples show.");

  private SettingsPage() {}

  /** The page. */
  public static String text(SettingsManual manual, LocalDate date, String version) {
    Mdoc page = new Mdoc("bloomgate.yaml", 5, "Settings of the Bloomgate gateway.", date, version);
    page.section("DESCRIPTION");
    page.text(ABOUT).macro("Pp").text("These commands help:").list();
    for (Part part : manual.head()) {
      if (part instanceof Lines lines) {
        lines.lines().forEach(line -> command(page, line));
      }
    }
    page.end().macro("Pp");
    if (manual.head().getLast() instanceof Prose notation) {
      lines(page, notation.lines());
    }
    page.macro("Pp").text(NAMES.getFirst()).text(NAMES.getLast());
    page.section("SETTINGS");
    for (SettingsManual.Section section : manual.sections()) {
      page.subsection(section.name().isEmpty() ? GENERAL : section.name());
      parts(page, manual, section.parts());
    }
    page.section("FILES").list().macro("It Pa /etc/bloomgate/bloomgate.yaml");
    page.text("The settings, if no other file is named with `--config`.").end();
    page.section("EXAMPLES").text("The smallest file:");
    page.literal(List.of("domains: [example.com]", "downstream:", "  host: 192.0.2.25"));
    page.section("SEE ALSO").macro("Xr bloomgate 1 ,").macro("Xr bloomgate-config 1 ,");
    page.macro("Xr bloomgate-init 1");
    return page.toString();
  }

  /** A command of the sample's head, and behind two blanks what it does. */
  private static void command(Mdoc page, String line) {
    String[] parts = line.split(" {2,}", 2);
    page.macro("It Li " + Mdoc.argument(parts[0])).text(parts.length < 2 ? "" : parts[1]);
  }

  private static void parts(Mdoc page, SettingsManual manual, List<Part> parts) {
    boolean list = false;
    boolean first = true;
    Iterator<Part> all = parts.iterator();
    while (all.hasNext()) {
      Part part = all.next();
      boolean key = part instanceof Setting;
      if (key && !list) {
        page.list();
      } else if (!key && list) {
        page.end();
      }
      if (!first && part instanceof Prose) {
        page.macro("Pp");
      }
      part(page, manual, part);
      list = key;
      first = false;
    }
    if (list) {
      page.end();
    }
  }

  private static void part(Mdoc page, SettingsManual manual, Part part) {
    switch (part) {
      case Prose prose -> lines(page, prose.lines());
      case Lines lines -> page.literal(lines.lines());
      case Setting key -> key(page, manual, key);
    }
  }

  private static void key(Mdoc page, SettingsManual manual, Setting key) {
    page.macro("It Ic " + Mdoc.argument(key.path()));
    String fallback = key.fallback().isEmpty() ? "" : "; default: `" + key.fallback() + "`";
    page.text("(" + key.notation() + fallback + ")");
    if (!key.meaning().isEmpty()) {
      page.macro("br");
      lines(page, key.meaning().stream().map(m -> sentence(key, m)).toList());
    } else {
      sameKey(manual, key).ifPresent(same -> page.macro("br").text("As `" + same + "`."));
    }
  }

  /** A comment behind a key is a phrase; here it is a sentence. */
  private static String sentence(Setting key, String comment) {
    String first = comment.split("[ ,:;]", 2)[0];
    boolean word = first.matches("[a-z]+") && !comment.startsWith(first + ":");
    word &= !key.notation().contains(first);
    String text =
        word ? comment.substring(0, 1).toUpperCase(Locale.ROOT) + comment.substring(1) : comment;
    return text.matches("(?s).*[.\\]:]") ? text : text + ".";
  }

  /** A key of the same name elsewhere with a meaning, unless the key around this one says it. */
  private static Optional<String> sameKey(SettingsManual manual, Setting key) {
    int dot = key.path().lastIndexOf('.');
    String last = key.path().substring(dot);
    boolean said =
        manual.keys().stream()
            .anyMatch(k -> k.path().equals(key.path().substring(0, dot)) && !k.meaning().isEmpty());
    return manual.keys().stream()
        .filter(k -> !said)
        .filter(k -> !k.meaning().isEmpty() && k.path().endsWith(last))
        .map(Setting::path)
        .findFirst();
  }

  private static void lines(Mdoc page, List<String> lines) {
    boolean first = true;
    for (String line : lines) {
      if (!first) {
        page.macro("br");
      }
      page.text(line);
      first = false;
    }
  }
}
