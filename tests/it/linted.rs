//! The files that hosts and tools of others read, before validators that others wrote: the action and the workflows,
//! the hooks, the dependencies. Each validator is also shown something that it must refuse.

use std::fs;

use super::{
    gate::{Said, run},
    tools::validator,
    workspace::{Workspace, is_packaged, project},
};

/// The action and the workflows; the package has no workflows.
fn host_files() -> Vec<String> {
    let folder = project().join(".github/workflows");
    let mut files = vec!["action.yml".to_owned()];
    if is_packaged() {
        println!("{} is not in the package: only the action is looked at", folder.display());
        return files;
    }
    let workflows = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    files.extend(workflows.map(|name| format!(".github/workflows/{name}")));
    files.sort();
    assert!(files.len() >= 3, "{files:?}");
    files
}

/// The same files in a folder of their own, so that one can be changed.
fn copies() -> Workspace {
    host_files()
        .iter()
        .fold(Workspace::empty(), |workspace, file| workspace.file(file, fs::read(project().join(file)).unwrap()))
}

fn audited(workspace: &Workspace) -> Option<Said> {
    let mut zizmor = validator("zizmor")?;
    zizmor.args(["--offline", "--no-config", "--persona=auditor", "--format=plain"]).args(host_files());
    Some(run(zizmor.current_dir(workspace.path())))
}

#[test]
fn an_auditor_of_workflows_finds_nothing() {
    let workspace = copies();
    let Some(said) = audited(&workspace) else { return };
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("No findings"), "{said:?}");

    let action = fs::read_to_string(project().join("action.yml")).unwrap();
    let spoiled =
        action.replacen("run: bash \"$GITHUB_ACTION_PATH/action/check.sh\"", "run: echo ${{ inputs.rules }}", 1);
    assert_ne!(action, spoiled);
    let said = audited(&workspace.file("action.yml", spoiled)).unwrap();
    assert!(said.code != Some(0) && said.stdout.contains("template-injection"), "{said:?}");
}

#[test]
fn the_action_and_the_workflows_are_valid_by_their_hosts_schemas() {
    let workspace = copies();
    for file in host_files() {
        let schema = if file == "action.yml" { "vendor.github-actions" } else { "vendor.github-workflows" };
        let check = || {
            let mut check = validator("check-jsonschema")?;
            Some(run(check.args(["--builtin-schema", schema]).arg(workspace.path().join(&file))))
        };
        let Some(said) = check() else { return };
        assert_eq!(said.code, Some(0), "{file}: {said:?}");
        let text = fs::read_to_string(project().join(&file)).unwrap();
        let spoiled = text.replacen("runs:\n", "rums:\n", 1).replacen("runs-on:", "rums-on:", 1);
        fs::write(workspace.path().join(&file), spoiled).unwrap();
        assert_eq!(check().unwrap().code, Some(1), "{file}: the validator looks");
    }
}

#[test]
fn the_hooks_are_what_pre_commit_expects() {
    let check = |path: &std::path::Path| Some(run(validator("pre-commit")?.arg("validate-manifest").arg(path)));
    let Some(said) = check(&project().join(".pre-commit-hooks.yaml")) else { return };
    assert_eq!(said.code, Some(0), "{said:?}");
    let broken = Workspace::empty().file("hooks.yaml", "- id: lease-guard\n");
    assert_eq!(check(&broken.path().join("hooks.yaml")).unwrap().code, Some(1), "the validator looks");
}
