package io.bloomgate.cli;

import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Sign;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate explain}: what would happen to a subject, why, and how to undo it. Asks the
 * gateway; where none answers it reads the last snapshot and runs the same decision.
 */
@Command(
    description = {
      "Say what happens to a client, sender, domain or mail, why, and how to undo it.",
      "Exit code 0: mail passes, 1: it is refused. Of an id: 1 when a list, the protocol or the"
          + " mail server refused it then, or mode observe noted that a list would; the line `now`"
          + " (JSON: now_verdict) says what the same mail would get."
    })
@Example("203.0.113.7 --from bob@partner.example")
final class ExplainCommand extends CliCommand implements ReadsFiles {

  private static final List<String> PATH_BEGINS = List.of("/", "./", "../", "~");

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..1",
      completionCandidates = LiveWords.RefusalsOrFiles.class,
      description =
          "IP, CIDR, domain, mail address, URL, the id in a refusal, a mail as FILE.eml, or - for a"
              + " mail on standard input")
  private String subject = "";

  @Option(
      names = "--helo",
      paramLabel = "NAME",
      description = "when the client says this HELO name")
  private @Nullable String helo;

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "when this is the envelope sender")
  private @Nullable String from;

  @Option(names = "--ip", paramLabel = "IP", description = "when it comes from this client")
  private @Nullable String ip;

  @Option(
      names = "--client-name",
      paramLabel = "NAME",
      description = "when this is the host name of the client's address, and leads back to it")
  private @Nullable String clientName;

  @Option(names = "--to", paramLabel = "ADDRESS", description = "when this is the recipient")
  private @Nullable String to;

  @Option(
      names = "--mail",
      paramLabel = "FILE",
      description = "a mail in a file of any name, instead of SUBJECT")
  private @Nullable String mail;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = {
        "by the lists of that time: 2026-11-20T10:00 (UTC),",
        "2026-11-20T10:00+01:00, 2026-11-20, 2h or \"2h ago\""
      })
  private @Nullable String at;

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        mail == null && subject.isEmpty(),
        "a subject is missing",
        "name an IP, a domain, an address or a mail");
    String file = mail == null && isMail(subject) ? subject : mail;
    if (file != null) {
      return mail(file);
    }
    CliException.refuseIf(
        Sign.named(subject).isPresent(),
        "`" + subject + "` is a sign of the settings (section signs), and no subject",
        "name a client: `bloomgate explain 192.0.2.7` says which signs it shows");
    subject = IncidentId.inRefusal(subject);
    requireNoFile();
    Instant time = at == null ? null : in.past("--at", at);
    ControlRequest.Explain request =
        new ControlRequest.Explain(subject, helo, from, ip, to, clientName, time);
    return in.askOrRead(
        () -> in.ask(request, ExplainText::show), () -> new OfflineExplain(in).answer(request));
  }

  /** An address may end like a file; a file of that name is named with {@code --mail}. */
  private static boolean isMail(String subject) {
    return subject.equals(ScannedMail.STANDARD_INPUT)
        || (subject.endsWith(".eml") && subject.indexOf('@') < 0);
  }

  /** A path that is no subject is meant as a mail; a file with the name of a host may be one. */
  private void requireNoFile() throws CliException {
    boolean there = Files.exists(Path.of(subject));
    if (Subject.parse(subject).toOptional().isPresent()) {
      if (there && subject.indexOf('.') > 0) {
        in.output().note("there is a file " + subject + " too; --mail " + subject + " explains it");
      }
      return;
    }
    boolean path = PATH_BEGINS.stream().anyMatch(subject::startsWith);
    CliException.refuseIf(
        there || path,
        there ? subject + " is a file, and no subject" : "there is no file " + subject,
        there ? "name it with --mail " + subject : ScannedMail.HOW_TO_NAME);
  }

  private int mail(String file) throws CliException {
    CliException.refuseIf(
        mail != null && !subject.isEmpty(),
        "--mail stands for the subject",
        "say the client with --ip, the sender with --from");
    CliException.refuseIf(
        at != null,
        "--at cannot be combined with a mail, whose keys are asked by the lists of now",
        "leave --at out, or ask about one URL, host or hash of the mail: `bloomgate explain URL"
            + " --at "
            + at
            + "`");
    return new ExplainMail(in, file)
        .answer((keys, signs) ->
            new ControlRequest.ExplainMail(keys, signs, helo, from, ip, to, clientName));
  }
}
