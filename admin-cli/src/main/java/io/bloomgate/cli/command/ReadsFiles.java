package io.bloomgate.cli.command;

/**
 * A command that can answer from the files of a gateway in its place: its help offers {@code
 * --offline}. Implemented by the classes of such commands.
 */
public interface ReadsFiles {}
