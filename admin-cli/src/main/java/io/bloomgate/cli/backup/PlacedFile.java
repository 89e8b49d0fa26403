package io.bloomgate.cli.backup;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of a backup that belongs outside of the state directory, and what happens to it. Pure but
 * for the look at what is there. Used by {@link RestoreCommand}.
 *
 * @param target where it belongs
 */
record PlacedFile(Path target, How how) {

  /** The way in which it is handled. */
  enum How {
    /** No file is there, or it is to be replaced. */
    WRITTEN("written"),
    /** The very same is there. */
    SAME("there already"),
    /** Another one is there, so it is put beside. */
    BESIDE("beside the one that is there"),
    /** The file belongs outside of the folder of the settings, where a restore writes nothing. */
    LEFT("not written, as it is outside of the folder of the settings");

    private final String words;

    How(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /**
   * Decides for a file that an archive names.
   *
   * @param folder of the settings; nothing outside of it is written
   * @param sha256 of the content
   */
  static PlacedFile decideWithin(Path folder, Path target, String sha256, boolean force)
      throws CliException {
    return isOwn(target.normalize(), folder)
        ? decide(target, sha256, force)
        : new PlacedFile(target, How.LEFT);
  }

  /** Decides for a file that the caller named. */
  static PlacedFile decide(Path target, String sha256, boolean force) throws CliException {
    if (Files.notExists(target)) {
      return new PlacedFile(target, How.WRITTEN);
    }
    if (digest(target).equals(sha256)) {
      return new PlacedFile(target, How.SAME);
    }
    return new PlacedFile(target, force ? How.WRITTEN : How.BESIDE);
  }

  /**
   * An archive may come from anywhere: folders such as /etc, and hidden files of a user, are not
   * for it to fill.
   */
  private static boolean isOwn(Path target, Path folder) {
    if (!target.startsWith(folder) || folder.getNameCount() < 2) {
      return false;
    }
    for (Path step : folder.relativize(target)) {
      if (step.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  /** The path to which it is written. */
  Path place() {
    return how == How.BESIDE ? target.resolveSibling(target.getFileName() + ".restored") : target;
  }

  private static String digest(Path file) throws CliException {
    try (InputStream in = Files.newInputStream(file);
        DigestInputStream digested =
            new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
      digested.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    } catch (AccessDeniedException e) {
      throw new CliException(ExitCode.PERMISSION, "you may not read " + file, "become root", e);
    } catch (IOException e) {
      throw new CliException(ExitCode.NO, file + " cannot be read: " + Faults.words(e), "", e);
    }
  }
}
