"""What readers of several formats share: folders of tasks, SGML, translations, language pairs, names of places."""
