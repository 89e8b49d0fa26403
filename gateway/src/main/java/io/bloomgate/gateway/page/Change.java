package io.bloomgate.gateway.page;

import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Moments;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.page.Exchange.Params;
import io.bloomgate.gateway.page.Exchange.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change that a form asks for: the request of the command that does the same, and the page to
 * go back to. Pure.
 */
record Change(ControlRequest request, String back) {

  /**
   * Reads a form.
   *
   * @param path where it was sent
   * @throws RefusedException when no page of ours sends such a form
   */
  static Change of(String path, Params form, Instant now) throws RefusedException {
    return switch (path) {
      case "/allow" -> entry(ListKind.ALLOW, path, form, now);
      case "/block" -> entry(ListKind.BLOCK, path, form, now);
      case "/recipients" -> recipient(path, form, now);
      case "/feed" -> feed(form);
      case "/report" -> report(form);
      case "/catalogue" -> {
        if (!form.text("do").equals("add")) {
          throw unknown();
        }
        yield new Change(new ControlRequest.FeedsAdd(form.text("name")), path);
      }
      case "/run" -> new Change(run(form), "/");
      default -> throw new RefusedException(404, "nothing can be changed at this address");
    };
  }

  private static ControlRequest run(Params form) throws RefusedException {
    return switch (form.text("do")) {
      case "mode" -> new ControlRequest.SetMode(mode(form.text("mode")), span(form.orNull("for")));
      case "drain" -> new ControlRequest.Drain();
      case "resume" -> new ControlRequest.Resume();
      case "seen" -> new ControlRequest.AlarmsSeen(form.text("alarm"));
      default -> throw unknown();
    };
  }

  private static Mode mode(String text) throws RefusedException {
    return Arrays.stream(Mode.values())
        .filter(mode -> mode.key().equals(text))
        .findFirst()
        .orElseThrow(() -> new RefusedException(400, "a mode is observe, soft or enforce"));
  }

  private static Change entry(ListKind list, String path, Params form, Instant now)
      throws RefusedException {
    String subject = form.text("subject");
    String incident = form.orNull("incident");
    return switch (form.text("do")) {
      case "remove" -> new Change(new ControlRequest.ListRemove(list, List.of(subject)), path);
      case "add" -> {
        String expires = form.text("expires");
        yield new Change(
            new ControlRequest.ListAdd(
                list,
                subject.isEmpty() ? List.of() : List.of(subject),
                incident,
                form.orNull("client"),
                end(expires, now),
                form.text("reason"),
                null,
                false,
                form.has("force"),
                expires.equals(Moments.NEVER),
                null,
                null),
            incident == null ? path : "/lookup?subject=" + Show.query(incident));
      }
      default -> throw unknown();
    };
  }

  private static Change report(Params form) throws RefusedException {
    String id = form.text("id");
    boolean good =
        switch (form.text("do")) {
          case "spam" -> false;
          case "good" -> true;
          default -> throw unknown();
        };
    return new Change(
        new ControlRequest.SpamReport(good, id, List.of()), "/lookup?subject=" + Show.query(id));
  }

  private static Change recipient(String path, Params form, Instant now) throws RefusedException {
    String subject = form.text("subject");
    String expires = form.text("expires");
    @Nullable Instant end = end(expires, now);
    String until = end == null ? expires : end.toString();
    return switch (form.text("do")) {
      case "remove" -> new Change(new ControlRequest.RecipientRemove(List.of(subject)), path);
      case "set" ->
          new Change(
              new ControlRequest.RecipientSet(
                  "",
                  1,
                  List.of(
                      RecipientEntry.line(
                          subject, form.text("profile"), until, form.text("reason")))),
              path);
      default -> throw unknown();
    };
  }

  private static Change feed(Params form) throws RefusedException {
    String name = form.text("name");
    ControlRequest request =
        switch (form.text("do")) {
          case "refresh" -> new ControlRequest.FeedsRefresh(List.of(name), false, false);
          case "accept" -> new ControlRequest.FeedsAccept(name, false);
          case "rollback" -> new ControlRequest.FeedsRollback(name, version(form.orNull("to")));
          case "enable" -> new ControlRequest.FeedsEnable(name);
          case "disable" -> new ControlRequest.FeedsDisable(name, span(form.orNull("for")));
          default -> throw unknown();
        };
    return new Change(request, "/feed?name=" + Show.query(name));
  }

  /** Reads an end like {@code --expires}; {@code null} for no end. */
  private static @Nullable Instant end(String text, Instant now) throws RefusedException {
    if (text.isEmpty() || text.equals(Moments.NEVER)) {
      return null;
    }
    try {
      Instant end = Moments.ahead(text, now);
      if (!end.isAfter(now)) {
        throw new RefusedException(400, "expires: " + text + " is in the past");
      }
      return end;
    } catch (BadValueException e) {
      throw new RefusedException(400, "expires: " + e.problem() + "; " + e.hint());
    }
  }

  /** Reads a time span like {@code --for}. */
  private static @Nullable Duration span(@Nullable String text) throws RefusedException {
    try {
      return text == null ? null : Quantities.span(text);
    } catch (BadValueException e) {
      throw new RefusedException(400, "for: " + e.problem() + "; " + e.hint());
    }
  }

  private static @Nullable Long version(@Nullable String text) throws RefusedException {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      throw new RefusedException(400, "a version is a number");
    }
  }

  private static RefusedException unknown() {
    return new RefusedException(400, "the form does not say what to do");
  }
}
