package io.bloomgate.cli;

import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.catalogue.FirstSettings;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.SettingsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands that an operator runs before the gateway is put in front of a mail server. Pure. */
final class FirstChecks {

  /**
   * One thing to look at.
   *
   * @param topic a word or two
   */
  record Point(String topic, String what) {}

  private FirstChecks() {}

  /**
   * The one that is forgotten most often comes first.
   *
   * @param lists that the settings name
   * @param mailsADay that come; {@code null} when nobody said
   */
  static List<Point> of(
      FirstSettings first, List<CatalogueEntry> lists, @Nullable Integer mailsADay) {
    List<Point> points = new ArrayList<>(ofMailServer(first));
    if (mailsADay == null) {
      points.add(
          new Point(
              "copies",
              "where fewer than "
                  + FirstSettings.SMALL_SITE_MAILS
                  + " mails a day come, set `content: {bulk: {networks: 3, copies: 4, window:"
                  + " 7d}}`; `init --mails-a-day N` writes it"));
    }
    if (lists.stream().anyMatch(FirstChecks::isByRsync)) {
      points.add(
          new Point("rsync", "PSBL and UCEPROTECT come by rsync: the program must be installed"));
    }
    if (lists.stream().anyMatch(list -> list.source().isEmpty())) {
      points.add(
          new Point(
              "resolver",
              "lists that are asked by DNS refuse questions of public resolvers: run a resolver on"
                  + " this machine, for example unbound, and set `dns: {servers: [127.0.0.1]}`"));
    }
    return List.copyOf(points);
  }

  private static boolean isByRsync(CatalogueEntry list) {
    return list.source().filter(feed -> feed.location() instanceof Location.Rsync).isPresent();
  }

  private static List<Point> ofMailServer(FirstSettings first) {
    String server = first.downstream().host();
    return List.of(
        new Point(
            "domains",
            "all domains that "
                + server
                + " takes mail for are in `domains`; mail to others is refused for now (454), and"
                + " `bloomgate status` counts them"),
        new Point(
            "certificate",
            "copy certificate and key of the mail server, or get one for the gateway's name; then"
                + " set tls.certificate, tls.key and `tls: starttls` of the listener. An ECDSA key"
                + " costs the processor least; tls.certificates takes an RSA one beside it"),
        new Point(
            "DANE",
            "TLSA records of your MX names must match that certificate, and each one of several;"
                + " the gateway answers under these names now. `bloomgate doctor --tls` prints the"
                + " records"),
        new Point(
            "MTA-STS",
            "the gateway's name must be under `mx:` of your policy, and on the certificate"),
        new Point(
            "sender's address",
            "Postfix: smtpd_authorized_xclient_hosts with the gateway's address on the listener at "
                + first.downstream()
                + "; other servers: see `client_address`"),
        new Point(
            "open relay",
            "take the gateway's address out of mynetworks (on the XCLIENT or PROXY listener leave"
                + " mynetworks empty), or whatever "
                + server
                + " trusts, or it relays for everybody"),
        new Point(
            "firewall",
            "port 25 from the internet to the gateway alone; port "
                + first.downstream().port()
                + " of "
                + server
                + " from the gateway alone; https out of the gateway, for the feeds"));
  }

  /** The next commands to type, each with its reason after a comment sign. */
  static List<String> next(Path file) {
    boolean usual = file.equals(SettingsFile.DEFAULT_PATH);
    String which = usual ? "" : " -c " + TerminalText.word(file);
    return List.of(
        "bloomgate config validate " + TerminalText.word(file),
        usual
            ? "systemctl enable --now bloomgate    # where no unit is installed: `bloomgate run`,"
                + " not as root"
            : "bloomgate run" + which + "    # as the user of the gateway, not as root",
        "bloomgate feeds list" + which + "    # each list with its state",
        "bloomgate tail"
            + which
            + "    # `reject_warning` in the log is what mode enforce would refuse",
        "bloomgate allow add --incident ID" + which + "    # what was listed and is wanted",
        "bloomgate mode enforce --for 1h"
            + which
            + "    # a trial; when you are sure, `mode: enforce` in the file");
  }
}
