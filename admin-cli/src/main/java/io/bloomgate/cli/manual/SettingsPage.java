package io.bloomgate.cli.manual;

import io.bloomgate.config.settings.SampleKeys;
import io.bloomgate.config.settings.SettingsFile;
import java.time.LocalDate;
import java.util.List;

/**
 * The page {@code bloomgate.yaml(5)}: every key of the settings with the notation and the default
 * that its reader has, then the sample, which says what each key means. Pure.
 */
public final class SettingsPage {

  private static final String ABOUT =
      "The settings are one YAML file. Two keys are required: `domains` and `downstream.host`; all"
          + " others have the default that is named here. A key that is unknown, written twice or"
          + " of the wrong kind is a mistake, and with a mistake the gateway does not start; a"
          + " running gateway keeps the settings it has.";

  private static final String NAMES =
      "A key is written here with the sections around it, joined by dots: `limits.hops` is the key"
          + " `hops` below `limits`. NAME, DOMAIN and HEADER are names of your choice. In the file"
          + " each section is indented by two more blanks, as the sample shows.";

  private SettingsPage() {}

  /** The page. */
  public static String text(LocalDate date, String version) {
    String[] parts = SettingsFile.sample().split("\n\n", 2);
    String[] head = parts[0].split("\n#\n", -1);
    Mdoc page = new Mdoc("bloomgate.yaml", 5, "Settings of the Bloomgate gateway.", date, version);
    page.section("DESCRIPTION");
    page.text(ABOUT).macro("Pp").text("These commands help:").list();
    for (String command : head[2].split("\n", -1)) {
      String[] words = command.substring(1).strip().split(" {2,}", 2);
      page.macro("It Li " + Mdoc.argument(words[0])).text(words[1]);
    }
    page.end().macro("Pp").text(head[3].replaceAll("\n?# ", " "));
    page.section("SETTINGS").text(NAMES).text("The sample below says what each key means.").list();
    SampleKeys.all()
        .forEach((path, key) -> {
          // A default that is another one in another section is none that could be written down.
          boolean one = key.defaults().size() == 1;
          String fallback = one ? "; default: `" + key.defaults().iterator().next() + "`" : "";
          page.macro("It Ic " + Mdoc.argument(path)).text("(" + key.notation() + fallback + ")");
        });
    page.end().section("FILES").list().macro("It Pa /etc/bloomgate/bloomgate.yaml");
    page.text("The settings, if no other file is named with `--config`.").end();
    page.section("EXAMPLES").text("The smallest file:");
    page.literal(List.of("domains: [example.com]", "downstream:", "  host: 192.0.2.25"));
    page.macro("Pp").text("The sample, in which all but these keys are commented out:");
    page.literal(parts[1].lines().toList());
    page.section("SEE ALSO").macro("Xr bloomgate 1 ,").macro("Xr bloomgate-config 1 ,");
    return page.macro("Xr bloomgate-init 1").toString();
  }
}
