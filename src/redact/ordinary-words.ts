/**
 * Names of homes that are words, too, or that a system gives: they are replaced where a home folder stands, and nowhere else. Otherwise every
 * `max`, `node` or `test` of a text would become a name.
 */
export const isOrdinary = (name: string): boolean => {
  const word = name.toLowerCase();
  return word.length <= 2 || /^[\d._-]+$/.test(word) || WORDS.has(word) || /^user\d+$/.test(word);
};

const WORDS = new Set(
  `about abstract account action actions active activity add admin administrator agent agents album all alpha amber analysis anchor android angel any
  apache api app apple apps archive archives art arch article articles asset assets async auth author autumn avatar back backend backup backups
  badge bank bar base bash basic beta bill bin blank block blog blue board body book books boot bot box branch brew bridge brook browser build builder bundle
  button byte cache call campaign canvas card cards case cat catalog category centos chain change chart chase chat check child chrome ci class claude
  clean clear cli click client cliff clock clone close cloud clouds code codex coder color column command commands comment comments commit common community company component
  components compose config configuration configure connect console const contact contacts container content contents context control cookie copy core count
  course cover create crystal css current custom customer cygwin daemon dark dashboard data database date dawn day db debian debug default delete demo deploy
  deployer desc desktop detail details dev devel developer device devices dist doc docker docs document documents dom domain down download downloads draft drive
  driver drop east edit editor element email empty encode end engine entry env error errors event events example examples export extra faith false faq fedora
  feed feedback fetch field file files filter final find first fish flag flat flow focus folder font foo footer form format forum forums found frame front frontend ftp full
  function gallery game games gary general get git github gitlab given global go gold good grace grant graph graphics gray green grid group groups grow guest guide
  hash head header heading heart heath height hello help helper hero hidden hide history hold home homepage hook hooks hope host hotel hour html http https hub icon
  icons id image images import in inbox index info init inner input insert install intro invoice iris issue issues item items ivy jack jade java javascript jenkins jim job
  jobs join joy js json june jupyter just key keys kit kubernetes lab label lance landing lane large last latest launch layout leaf learn legal level lib library light like
  line link links linux list lists live load local lock log login logo logout logs long loop lost-and-found lost+found main make manage manager map mark marker market master math max media member
  members memory menu merge message messages meta method min miles mobile mock modal mode model models modern module modules mongo month more mount move music my mysql name nav navbar
  network new news next nginx nick no nobody node none north note notes npm null number object oem off office offset ok old on online open opencode option options oracle order orders
  org other out output overview owner package packages page pages parent park part parts pat path pay payment payments people person personal photo photos picture pictures piece
  pierce pipe place plain plan play player plugin plugins point policy pool pop port portal portfolio post postgres posts power preview price pricing print privacy private process
  product production products profile profiles program progress project projects promise prompt proxy public python query queue quick quote random range rate raw ray react read
  reader readme real record red redis reed ref register release remote report reports repo request require reset resource resources response rest result results return review rich rob robin robot role
  roles root rose route router routes row ruby rule run runner rust safe sale sales sample samples sandbox save scan scene schema scope script scripts search second secret section secure
  security select self send server service services session sessions set settings setup shadow shape share shared shell shop show side sidebar sign simple site size skip sky slot small
  social solution sort sound source south space spec spring src stack staff stage staging standard star start state static stats status step stone stop storage store stores story stream string strong
  style styles sub submit success sudo suite summary summer sun super support svelte svn swap switch symbol sync sys system systemd tab table tag tags target task tasks team teams temp template
  templates terms test tester testing tests text theme thread time timer title tmp today todo token tom tool tools top topic total trace track tree trip true type types ubuntu
  undefined unit unknown up update upload uploads url use user username users util utils vagrant val value values vault var variable vendor version video videos view
  viewer views virtual void vscode vue wait wall warn warning watch web webapp webmaster week west white why wide widget width wiki will window windows winter wood word wordpress words work worker workflow
  workspace workspaces world wrap write www yes zone
  media-1 person encoded private-key jwt bearer email cookie hash webhook signature password blob
  ec2-user www-data code-server linuxbrew codespace gitpod circleci travis buildkite builduser nixbld ansible puppet salt terraform airflow hadoop spark kafka elastic
  you your the and for with from this that not are was has have will would could should one two three four five six seven eight nine ten`
    .split(/\s+/)
    .filter((word) => word !== 'tom' && word !== 'gary' && word !== 'jim'),
);
