package io.bloomgate.cli;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.content.ReportedMail;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A mail that {@code explain} read as its caller: what it carries and which shape it has. Nothing
 * else of it is kept. Immutable.
 *
 * @param keys what lists are asked for
 * @param parts header blocks of the mail, its parts and nested mails
 * @param depth most multiparts and mails around a part
 * @param excess the limit of shapes that it is beyond; {@code null} for none
 * @param skipped what was not looked at, in words
 * @param id that a gateway gave the mail when it came; empty where its header names none
 * @param signs that it shows, whether the settings name them or not
 */
record ScannedMail(
    List<ContentKey> keys,
    int parts,
    int depth,
    @Nullable MimeExcess excess,
    List<String> skipped,
    Optional<String> id,
    List<Content.Shown> signs) {

  /** The name of standard input. */
  static final String STANDARD_INPUT = "-";

  /** Octets of a mail, 256 MiB: five times what a gateway takes by default. */
  static final long MOST_OCTETS = 256L << 20;

  /** The ways to name a mail, for people who named none. */
  static final String HOW_TO_NAME =
      "a mail is named as FILE.eml, as --mail FILE for a file of any name, or as - for a mail on"
          + " standard input";

  private static final int BUFFER_OCTETS = 1 << 16;

  ScannedMail {
    keys = List.copyOf(keys);
    skipped = List.copyOf(skipped);
    signs = List.copyOf(signs);
  }

  /**
   * Reads a mail.
   *
   * @param file {@link #STANDARD_INPUT} or a path
   * @throws CliException when it cannot be read, is no regular file, or is too long
   */
  static ScannedMail read(Invocation in, String file) throws CliException {
    return read(in, file, false);
  }

  /**
   * The same.
   *
   * @param isOwn leaves out attachments that are alike in many mails, and what else is not the
   *     mail's own
   */
  static ScannedMail read(Invocation in, String file, boolean isOwn) throws CliException {
    Optional<Settings> settings = in.settingsIfAny();
    OptionalLong seed =
        settings.isPresent()
            ? OperatorLists.readLikenessSeed(
                settings.get().stateDir().resolve(OperatorLists.FILE_NAME))
            : OptionalLong.empty();
    MailReader scanner =
        new MailReader(
            settings.map(ScannedMail::limits).orElse(MimeLimits.DEFAULTS),
            Check.OF_CONTENT,
            seed.orElse(0),
            false,
            in.around().executor());
    boolean ofMailbox;
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    try (InputStream octets = open(in, file)) {
      ofMailbox = put(octets, scanner, first);
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
    MailEvidence evidence = scanner.end();
    List<String> skipped = new ArrayList<>(evidence.notLookedAt());
    if (ofMailbox) {
      skipped.add("the first line, which a mailbox file has in front of each mail");
    }
    List<ContentKey> keys =
        isOwn
            ? evidence.keys().stream()
                .filter(key ->
                    key.place() == ContentKey.Place.OPEN
                        && (key.check() != Check.ATTACHMENT
                            || evidence.print().attachments().contains(key.key())))
                .toList()
            : evidence.keys();
    if (seed.isEmpty()) {
      skipped.add("the likeness of the text: its seed is in the state directory of the gateway");
      keys = keys.stream().filter(key -> !(key.key() instanceof Likeness)).toList();
    }
    List<ContentKey> texts = keys.stream().filter(key -> key.check() == Check.BODY).toList();
    if (scanner.excess() == null && texts.isEmpty()) {
      skipped.add(tooShort("a print", BodyPrint.LEAST_WORDS));
    } else if (scanner.excess() == null && seed.isPresent() && texts.size() == 1) {
      skipped.add(tooShort("a likeness", BodyPrint.LEAST_WORDS_ALIKE));
    }
    if (settings.isEmpty()) {
      skipped.add("limits.mime of the settings; the default limits were used");
    }
    return new ScannedMail(
        keys,
        evidence.parts(),
        evidence.depth(),
        scanner.excess(),
        skipped,
        ReportedMail.id(first.toByteArray()),
        Signs.ofAny(
            evidence,
            settings.map(Settings::domains).orElse(List.of()),
            settings.map(Settings::brands).orElse(List.of())));
  }

  private static String tooShort(String what, int words) {
    return "the text: it has fewer than the "
        + words
        + " words with letters that "
        + what
        + " needs";
  }

  private static InputStream open(Invocation in, String file) throws CliException, IOException {
    if (file.equals(STANDARD_INPUT)) {
      return in.around().in();
    }
    Path path = Path.of(file);
    CliException.refuseIf(Files.notExists(path), "there is no file " + file, HOW_TO_NAME);
    CliException.refuseIf(
        Files.exists(path) && !Files.isRegularFile(path),
        file + " is not a regular file",
        "give a mail on standard input with -");
    return Files.newInputStream(path);
  }

  /** Returns true when the first line was left out. */
  private static boolean put(InputStream octets, MailReader scanner, ByteArrayOutputStream first)
      throws CliException, IOException {
    byte[] buffer = new byte[BUFFER_OCTETS];
    boolean ofMailbox = false;
    long all = 0;
    while (true) {
      int read = octets.readNBytes(buffer, 0, buffer.length);
      if (read == 0) {
        break;
      }
      int from = all == 0 ? behindLineOfMailbox(buffer, read) : 0;
      if (all == 0) {
        first.write(buffer, from, read - from);
      }
      ofMailbox |= from > 0;
      all += read;
      CliException.refuseIf(
          all > MOST_OCTETS,
          "the mail is longer than " + (MOST_OCTETS >> 20) + " MiB",
          "a gateway refuses mails beyond limits.message_size");
      scanner.put(buffer, from, read - from);
    }
    CliException.refuseIf(all == 0, "the mail is empty", "give header and body");
    return ofMailbox;
  }

  /** A file with one mail may come out of a mailbox file, whose first line is not of the mail. */
  private static int behindLineOfMailbox(byte[] octets, int length) {
    String first = new String(octets, 0, length, StandardCharsets.ISO_8859_1);
    return first.startsWith("From ") ? first.indexOf('\n') + 1 : 0;
  }

  private static MimeLimits limits(Settings settings) {
    Settings.Limits.Mime mime = settings.limits().mime();
    return new MimeLimits(mime.depth(), mime.parts(), mime.parameters(), mime.addressFields());
  }

  /** The same with some of the keys only, and why. */
  ScannedMail withKeys(List<ContentKey> some, String why) {
    List<String> more = new ArrayList<>(skipped);
    more.add(why);
    return new ScannedMail(some, parts, depth, excess, more, id, signs);
  }
}
