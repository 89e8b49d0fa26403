package io.bloomgate.cli;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.blocklists.refresh.StoredFeeds;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ProtectedLists;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code explain} without a gateway: the last generation and the operator lists are opened for
 * reading, and the same decision code answers. What only the running gateway knows (a mode set by
 * command, addresses of downstream by DNS) is not considered, and the answer says so.
 */
final class OfflineExplain {

  /** Incident ids as people write them: ten characters of Crockford's base 32, I, L and O too. */
  private static final Pattern INCIDENT = Pattern.compile("(?i)[0-9A-TV-Z]{10}");

  private static final String SNAPSHOTS = "snapshots";

  private final Invocation in;

  OfflineExplain(Invocation in) {
    this.in = in;
  }

  /** Answers and prints; the result is the exit code. */
  int answer(ControlRequest.Explain request) throws CliException {
    if (INCIDENT.matcher(request.subject()).matches()) {
      throw new CliException(
          ExitCode.UNREACHABLE,
          "incidents are known to the running gateway only",
          "start it, or look for the id in the log");
    }
    Settings settings = in.settings();
    Invocation.requireReadable(settings.stateDir());
    Question question =
        new Question(
            request.subject(),
            request.helo(),
            request.from(),
            request.ip(),
            request.to(),
            domain -> isOwn(settings.domains(), domain));
    try (OpenLists operator = operator(settings)) {
      return answer(request, settings, question, operator.view());
    }
  }

  private int answer(
      ControlRequest.Explain request, Settings settings, Question question, OperatorView operator)
      throws CliException {
    Path snapshots = settings.stateDir().resolve(SNAPSHOTS);
    StoredFeeds feeds = feeds(settings);
    Lists lists = new Lists(snapshot(snapshots), operator, feeds.lastSuccess());
    // Names of mail servers are not looked up: explaining must not wait for DNS.
    Policy policy = Policy.of(settings, feeds.disabled(), List.of(), ProtectedLists.of(settings));
    Explainer explainer = new Explainer(context(settings, lists, policy));
    return switch (explainer.explain(question)) {
      case Parsed.Bad<Explanation>(String reason) ->
          throw new CliException(
              ExitCode.USAGE,
              "`" + request.subject() + "`: " + reason,
              "a subject is an IP, a CIDR, a domain, a mail address or an incident id");
      case Parsed.Ok<Explanation>(Explanation explanation, var _) -> {
        Output out = in.output();
        out.item(explanation.toJson(), ExplainText::show);
        out.warn("warning: offline: the mode is that of the settings");
        feeds.problems().forEach(problem -> out.warn("warning: " + problem));
        yield explanation.refuses() ? ExitCode.NO : ExitCode.OK;
      }
    };
  }

  private Explainer.Context context(Settings settings, Lists lists, Policy policy) {
    return new Explainer.Context(
        lists,
        policy,
        settings.mode(),
        settings.policy().rejectAt(),
        true,
        in.around().clock().instant(),
        listed -> origin(settings.stateDir(), lists, listed));
  }

  /** Not knowing it is no reason to keep the answer back. */
  private static @Nullable ListingOrigin origin(Path stateDir, Lists lists, Ground.Listed listed) {
    try {
      return ListingOrigin.of(stateDir, lists.snapshot().manifest(), listed.listing()).orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean isOwn(List<String> domains, String asked) {
    return domains.stream().anyMatch(d -> d.startsWith(".") ? asked.endsWith(d) : asked.equals(d));
  }

  private StoredFeeds feeds(Settings settings) throws CliException {
    try {
      return StoredFeeds.read(
          settings.stateDir(), settings.feeds().sources().keySet(), in.around().clock().instant());
    } catch (IOException e) {
      throw unreadable(settings.stateDir(), e);
    }
  }

  private static CliException unreadable(Path directory, IOException e) {
    return e instanceof AccessDeniedException
        ? new CliException(
            ExitCode.PERMISSION, "you may not read " + directory, "become root or its owner", e)
        : new CliException(
            ExitCode.NO,
            "the lists in " + directory + " cannot be read: " + e.getMessage(),
            "start the gateway, it falls back to an older generation",
            e);
  }

  private static ListSnapshot snapshot(Path directory) throws CliException {
    try {
      return Files.isDirectory(directory)
          ? SnapshotStore.openCurrent(directory)
          : ListSnapshot.EMPTY;
    } catch (IOException e) {
      throw unreadable(directory, e);
    }
  }

  /** The operator's lists, open until the answer is given; none where there is no database yet. */
  private record OpenLists(OperatorView view, @Nullable OperatorLists lists)
      implements AutoCloseable {
    @Override
    public void close() throws CliException {
      try {
        if (lists != null) {
          lists.close();
        }
      } catch (OperatorListsException e) {
        throw new CliException(ExitCode.NO, e.userMessage(), e.hint(), e);
      }
    }
  }

  private OpenLists operator(Settings settings) throws CliException {
    Path file = settings.stateDir().resolve(OperatorLists.FILE_NAME);
    ListFiles files =
        new ListFiles(
            settings.allow().files(),
            settings.block().files(),
            Policy.widthRules(settings, List.of()),
            in.around().clock());
    try {
      if (!Files.exists(file)) {
        return new OpenLists(OperatorLists.ofFilesAlone(files), null);
      }
      OperatorLists lists = OperatorLists.openReadOnly(file, files, in.around().clock());
      return new OpenLists(lists.view(), lists);
    } catch (OperatorListsException e) {
      int exitCode = Files.isReadable(file) ? ExitCode.NO : ExitCode.PERMISSION;
      throw new CliException(exitCode, e.userMessage(), e.hint(), e);
    }
  }
}
